#include <bit>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "emulator/tests/support/exact.h"
#include "emulator/tests/support/one_instruction.h"

// Conversions between integers and floats on random operands.

namespace warpsim {
namespace {

/// Random 64-bit integers of every length.
std::vector<std::uint64_t> random_integers() {
  std::mt19937_64 random(21);
  std::vector<std::uint64_t> values(20000);
  for (auto& value : values) value = random() >> (random() % 64);
  // What makes a conversion through f64 wrong: a tie in f32 but for bits that f64 cannot hold.
  for (int i = 0; i < 64; ++i)
    values.push_back((std::uint64_t{0x8000008000000000} | 1u) + (std::uint64_t{1} << (i % 40)));
  values.insert(values.end(), {0x8000008000000001, 0x8000008000000000, 0x7fffffffffffffff,
                               0xffffffffffffffff, 0});
  return values;
}

/// Whether `down` and `up` are the neighbours around `exact` and `nearest` is the nearer one.
template <class T>
bool rounded_correctly(float128 exact, T nearest, T zero, T down, T up) {
  const auto wide = [](T value) { return static_cast<float128>(value); };
  if (wide(down) > exact || wide(up) < exact) return false;
  if (zero != (exact < 0 ? up : down)) return false;
  if (down == up) return nearest == down;
  if (up != std::nextafter(down, std::numeric_limits<T>::infinity())) return false;
  const float128 below = exact - wide(down);
  const float128 above = wide(up) - exact;
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const bool down_is_even = (std::bit_cast<Bits>(down) & 1) == 0;
  return nearest == (below < above || (below == above && down_is_even) ? down : up);
}

TEMPLATE_TEST_CASE("64-bit integers round once in every mode", "[isa][convert]", float, double) {
  using T = TestType;
  const auto integers = random_integers();
  for (const bool is_signed : {false, true}) {
    const auto run = [&](std::string_view mode) {
      return run_instruction<T>(
          fmt::format("cvt.{}.{}.{} %d, %a;", mode, ptx_type<T>(), is_signed ? "s64" : "u64"),
          integers);
    };
    const auto nearest = run("rn");
    const auto zero = run("rz");
    const auto down = run("rm");
    const auto up = run("rp");
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < integers.size(); ++i) {
      const float128 exact = is_signed
                                 ? static_cast<float128>(static_cast<std::int64_t>(integers[i]))
                                 : static_cast<float128>(integers[i]);
      if (!rounded_correctly(exact, nearest[i], zero[i], down[i], up[i])) ++wrong;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("64-bit integers round to 16-bit floats once", "[isa][convert]") {
  const auto integers = random_integers();
  const auto bfloat = run_instruction<std::uint16_t>("cvt.rn.bf16.u64 %d, %a;", integers);
  const auto half = run_instruction<std::uint16_t>("cvt.rn.f16.s64 %d, %a;", integers);
  for (std::size_t i = 0; i < integers.size(); ++i) {
    // Two doubles hold 64 bits; only the sign of the low one matters to the rounding.
    const std::uint64_t high = integers[i] & ~std::uint64_t{0x7ff};
    const Exact<double> value =
        exact_sum(static_cast<double>(high), static_cast<double>(integers[i] - high));
    if (value.hi != 0) REQUIRE(bfloat[i] == nearest_pattern(value, kBfloat));
    const auto as_signed = static_cast<std::int64_t>(integers[i]);
    const auto small = static_cast<double>(as_signed);
    if (small != 0 && std::fabs(small) < 0x1p53)
      REQUIRE(half[i] == nearest_pattern({small, 0}, kHalf));
  }
}

TEST_CASE("floats beyond an integer type become its ends", "[isa][convert]") {
  std::mt19937 random(22);
  std::vector<float> a(50000);
  for (float& value : a) value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
  const auto s32 = run_instruction<std::uint32_t>("cvt.rzi.s32.f32 %d, %a;", a);
  const auto u32 = run_instruction<std::uint32_t>("cvt.rzi.u32.f32 %d, %a;", a);
  const auto s64 = run_instruction<std::uint64_t>("cvt.rni.s64.f32 %d, %a;", a);
  const auto u64 = run_instruction<std::uint64_t>("cvt.rpi.u64.f32 %d, %a;", a);
  const auto s8 = run_instruction<std::uint32_t>("cvt.rmi.s8.f32 %d, %a;", a);
  const auto clamp = [](float128 x, float128 low, float128 high) {
    return x < low ? low : x > high ? high : x;
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i])) {
      REQUIRE(s32[i] == 0);
      REQUIRE(u32[i] == 0);
      REQUIRE(s64[i] == std::uint64_t{1} << 63);
      REQUIRE(u64[i] == std::uint64_t{1} << 63);
      REQUIRE(s8[i] == 0);
      continue;
    }
    REQUIRE(static_cast<std::int32_t>(s32[i]) == clamp(std::trunc(a[i]), -0x1p31, 0x1p31 - 1));
    REQUIRE(u32[i] == clamp(std::trunc(a[i]), 0, 0x1p32 - 1));
    const float128 one = 1;
    REQUIRE(static_cast<std::int64_t>(s64[i]) ==
            clamp(std::nearbyint(a[i]), -0x1p63, 0x1p63 - one));
    REQUIRE(u64[i] == clamp(std::ceil(a[i]), 0, 0x1p64 - one));
    REQUIRE(static_cast<std::int32_t>(s8[i]) == clamp(std::floor(a[i]), -128, 127));
  }
}

TEST_CASE("f64 to f32 rounds once in every mode, subnormals included", "[isa][convert]") {
  std::mt19937_64 random(23);
  std::vector<double> a(50000);
  for (double& value : a) {
    value = std::ldexp(1.0 + static_cast<double>(random() >> 12) * 0x1p-52,
                       static_cast<int>(random() % 276) - 150);
    if (random() % 2) value = -value;
  }
  const auto run = [&](std::string_view mode) {
    return run_instruction<float>(fmt::format("cvt.{}.f32.f64 %d, %a;", mode), a);
  };
  const auto nearest = run("rn");
  const auto zero = run("rz");
  const auto down = run("rm");
  const auto up = run("rp");
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!rounded_correctly<float>(a[i], nearest[i], zero[i], down[i], up[i])) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("every 8-bit float converts to f16 and back unchanged", "[isa][convert]") {
  std::vector<std::uint16_t> pairs;
  for (unsigned bits = 0; bits < 256; ++bits)
    pairs.push_back(static_cast<std::uint16_t>(bits << 8 | (255 - bits)));
  for (const std::string_view type : {"e4m3x2", "e5m2x2"}) {
    const auto halves =
        run_instruction<std::uint32_t>(fmt::format("cvt.rn.f16x2.{} %d, %a;", type), pairs);
    const auto back = run_instruction<std::uint16_t>(
        fmt::format("cvt.rn.satfinite.{}.f16x2 %d, %a;", type), halves);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      for (const unsigned shift : {0u, 8u}) {
        const unsigned bits = (pairs[i] >> shift) & 0xff;
        const unsigned got = (back[i] >> shift) & 0xff;
        const unsigned size = bits & 0x7f;
        const bool nan = type == "e4m3x2" ? size == 0x7f : size > 0x7c;
        const bool infinite = type == "e5m2x2" && size == 0x7c;  // becomes the largest number
        REQUIRE(got == (nan ? 0x7f : infinite ? bits - 1 : bits));
      }
    }
  }
}

TEST_CASE("conversions refuse modifiers that do not fit their types", "[isa][convert]") {
  const std::string start = "the emulator does not know this instruction: ";
  CHECK(refusal_of<std::uint32_t, float>("cvt.rn.s32.f32 %d, %a;") ==
        start + "cvt.rn.s32.f32: no integer rounding mode");
  CHECK(refusal_of<float, std::uint32_t>("cvt.f32.s32 %d, %a;") ==
        start + "cvt.f32.s32: no rounding mode");
  CHECK(refusal_of<double, float>("cvt.rn.f64.f32 %d, %a;") ==
        start + "cvt.rn.f64.f32: rounding of an exact result");
  CHECK(refusal_of<std::uint16_t, float>("cvt.rm.relu.f16.f32 %d, %a;") ==
        start + "cvt.rm.relu.f16.f32: modifier '.relu'");
  CHECK(refusal_of<std::uint16_t, float>("cvt.rn.sat.bf16.f32 %d, %a;") ==
        start + "cvt.rn.sat.bf16.f32: modifier '.sat'");
}

}  // namespace
}  // namespace warpsim
