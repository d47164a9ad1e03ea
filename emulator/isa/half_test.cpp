#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>
#include <random>

#include "emulator/tests/support/exact.h"
#include "emulator/tests/support/one_instruction.h"

// 16-bit floats: every pattern for operations of one operand, random ones for more.

namespace warpsim {
namespace {

using Patterns = std::vector<std::uint16_t>;

Patterns all_patterns() {
  Patterns patterns(65536);
  std::iota(patterns.begin(), patterns.end(), std::uint16_t{0});
  return patterns;
}

Patterns random_patterns(unsigned seed) {
  std::mt19937 random(seed);
  Patterns patterns(100000);
  for (auto& pattern : patterns) pattern = static_cast<std::uint16_t>(random());
  return patterns;
}

bool is_finite(std::uint16_t bits, const HalfFormat& format) {
  return (bits & 0x7fff) < format.infinity();
}

bool is_nan(std::uint16_t bits, const HalfFormat& format) {
  return (bits & 0x7fff) > format.infinity();
}

struct NamedFormat {
  std::string_view name;
  HalfFormat format;
};
constexpr NamedFormat kFormats[] = {{"f16", kHalf}, {"bf16", kBfloat}};

TEST_CASE("add, sub, mul and fma on 16-bit floats round once", "[isa][half]") {
  const Patterns a = random_patterns(1);
  const Patterns b = random_patterns(2);
  const Patterns c = random_patterns(3);
  for (const auto& [name, format] : kFormats) {
    const auto run = [&, type = name](std::string_view op, std::string_view operands) {
      return run_instruction<std::uint16_t>(fmt::format("{}.{} {};", op, type, operands), a, b, c);
    };
    const Patterns add = run("add", "%d, %a, %b");
    const Patterns sub = run("sub", "%d, %a, %b");
    const Patterns mul = run("mul", "%d, %a, %b");
    const Patterns fma = run("fma.rn", "%d, %a, %b, %c");
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!is_finite(a[i], format) || !is_finite(b[i], format) || !is_finite(c[i], format))
        continue;
      const double x = value_of_pattern(a[i], format);
      const double y = value_of_pattern(b[i], format);
      const auto check = [&, &f = format](std::uint16_t got, const Exact<double>& exact) {
        if (exact.hi != 0 && got != nearest_pattern(exact, f)) ++wrong;
      };
      check(add[i], exact_sum(x, y));
      check(sub[i], exact_sum(x, -y));
      check(mul[i], {x * y, 0});
      check(fma[i], exact_sum(x * y, value_of_pattern(c[i], format)));
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a fused multiply-add decides ties by addends far below them", "[isa][half]") {
  // Every product of two f16 numbers near one that is a tie, with the smallest addend.
  Patterns a;
  Patterns b;
  Patterns c;
  for (std::uint16_t x = 0x3c00; x < 0x4000; ++x) {
    a.insert(a.end(), {x, x, x});
    b.insert(b.end(), {0x3e00, 0x3e00, 0x3e00});
    c.insert(c.end(), {0x0001, 0x8001, 0x0000});
  }
  const Patterns d = run_instruction<std::uint16_t>("fma.rn.f16 %d, %a, %b, %c;", a, b, c);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double product = value_of_pattern(a[i], kHalf) * value_of_pattern(b[i], kHalf);
    CHECK(d[i] == nearest_pattern(exact_sum(product, value_of_pattern(c[i], kHalf)), kHalf));
  }
}

TEST_CASE("every 16-bit float converts to f32 and back unchanged", "[isa][half][convert]") {
  const Patterns all = all_patterns();
  for (const auto& [name, format] : kFormats) {
    const auto wide = run_instruction<float>(fmt::format("cvt.f32.{} %d, %a;", name), all);
    const auto back =
        run_instruction<std::uint16_t>(fmt::format("cvt.rn.{}.f32 %d, %a;", name), wide);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (is_nan(all[i], format)) {
        REQUIRE(std::isnan(wide[i]));
        REQUIRE(back[i] == 0x7fff);
        continue;
      }
      const double value = is_finite(all[i], format) ? value_of_pattern(all[i], format)
                                                     : std::copysign(INFINITY, wide[i]);
      REQUIRE(static_cast<double>(wide[i]) == value);
      REQUIRE(std::signbit(wide[i]) == (all[i] >= 0x8000));
      REQUIRE(back[i] == all[i]);
    }
  }
}

TEST_CASE("f32 to 16-bit conversions round as their mode says around every number",
          "[isa][half][convert]") {
  for (const auto& [name, format] : kFormats) {
    // The middle between every number and the next, and the f32 numbers on both sides of it.
    std::vector<float> values;
    for (std::uint16_t x = 0; x < format.infinity(); ++x) {
      const auto next = static_cast<std::uint16_t>(x + 1);
      const auto middle =
          static_cast<float>((value_of_pattern(x, format) + value_of_pattern(next, format)) / 2);
      for (const float value :
           {middle, std::nextafter(middle, 0.0f), std::nextafter(middle, INFINITY)}) {
        values.insert(values.end(), {value, -value});
      }
    }
    const auto run = [&, type = name](std::string_view mode) {
      return run_instruction<std::uint16_t>(fmt::format("cvt.{}.{}.f32 %d, %a;", mode, type),
                                            values);
    };
    const Patterns nearest = run("rn");
    const Patterns zero = run("rz");
    const Patterns down = run("rm");
    const Patterns up = run("rp");
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double value = values[i];
      const auto below = static_cast<std::uint16_t>(i / 6);
      const auto above = static_cast<std::uint16_t>(below + 1);
      if (value == 0)
        continue;  // the middle below the smallest bf16 is not an f32 number's neighbour
      const bool negative = value < 0;
      const auto toward_zero = static_cast<std::uint16_t>(below | (negative ? 0x8000 : 0));
      const auto away = static_cast<std::uint16_t>(above | (negative ? 0x8000 : 0));
      REQUIRE(zero[i] == toward_zero);
      REQUIRE(down[i] == (negative ? away : toward_zero));
      REQUIRE(up[i] == (negative ? toward_zero : away));
      REQUIRE(nearest[i] == nearest_pattern({value, 0}, format));
    }
  }
}

TEST_CASE("every f16 rounds to integers as its mode says", "[isa][half][convert]") {
  const Patterns all = all_patterns();
  const auto nearest = run_instruction<std::uint32_t>("cvt.rni.s32.f16 %d, %a;", all);
  const auto zero = run_instruction<std::uint32_t>("cvt.rzi.s32.f16 %d, %a;", all);
  const auto down = run_instruction<std::uint32_t>("cvt.rmi.s32.f16 %d, %a;", all);
  const auto up = run_instruction<std::uint32_t>("cvt.rpi.s32.f16 %d, %a;", all);
  const auto within = run_instruction<std::uint16_t>("cvt.rmi.f16.f16 %d, %a;", all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_finite(all[i], kHalf)) continue;
    const double value = value_of_pattern(all[i], kHalf);
    REQUIRE(static_cast<std::int32_t>(nearest[i]) == std::nearbyint(value));
    REQUIRE(static_cast<std::int32_t>(zero[i]) == std::trunc(value));
    REQUIRE(static_cast<std::int32_t>(down[i]) == std::floor(value));
    REQUIRE(static_cast<std::int32_t>(up[i]) == std::ceil(value));
    REQUIRE(value_of_pattern(within[i], kHalf) == std::floor(value));
  }
}

TEST_CASE("ex2 and tanh stay within a unit in the last place for every f16",
          "[isa][half][approx]") {
  const Patterns all = all_patterns();
  const auto ex2 = run_instruction<std::uint16_t>("ex2.approx.f16 %d, %a;", all);
  const auto tanh = run_instruction<std::uint16_t>("tanh.approx.f16 %d, %a;", all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_finite(all[i], kHalf)) continue;
    const double value = value_of_pattern(all[i], kHalf);
    const double power = std::exp2(value);
    if (power > 0) REQUIRE(std::abs(ex2[i] - nearest_pattern({power, 0}, kHalf)) <= 1);
    if (value != 0) REQUIRE(std::abs(tanh[i] - nearest_pattern({std::tanh(value), 0}, kHalf)) <= 1);
  }
}

TEST_CASE("abs, neg, min and max of every f16", "[isa][half]") {
  const Patterns all = all_patterns();
  const Patterns one(all.size(), 0x3c00);
  const auto abs = run_instruction<std::uint16_t>("abs.f16 %d, %a;", all);
  const auto neg = run_instruction<std::uint16_t>("neg.f16 %d, %a;", all);
  const auto min = run_instruction<std::uint16_t>("min.f16 %d, %a, %b;", all, one);
  const auto max = run_instruction<std::uint16_t>("max.f16 %d, %a, %b;", one, all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_nan(all[i], kHalf)) {
      REQUIRE(is_nan(abs[i], kHalf));
      REQUIRE(is_nan(neg[i], kHalf));
      REQUIRE(min[i] == 0x3c00);
      REQUIRE(max[i] == 0x3c00);
      continue;
    }
    const bool below_one = all[i] >= 0x8000 || all[i] < 0x3c00;
    REQUIRE(abs[i] == (all[i] & 0x7fff));
    REQUIRE(neg[i] == (all[i] ^ 0x8000));
    REQUIRE(min[i] == (below_one ? all[i] : 0x3c00));
    REQUIRE(max[i] == (below_one ? 0x3c00 : all[i]));
  }
}

}  // namespace
}  // namespace warpsim
