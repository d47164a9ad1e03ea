#include <bit>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cfenv>
#include <cmath>
#include <random>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "emulator/tests/support/exact.h"
#include "emulator/tests/support/one_instruction.h"

// Properties of f32 and f64 arithmetic on random operands. The goldens hold chosen values.

namespace warpsim {
namespace {

constexpr std::size_t kSamples = 20000;

template <class T>
struct Traits;
template <>
struct Traits<float> {
  using Bits = std::uint32_t;
  using Wide = double;  // products are exact
  static constexpr std::string_view kName = "f32";
};
template <>
struct Traits<double> {
  using Bits = std::uint64_t;
  using Wide = float128;
  static constexpr std::string_view kName = "f64";
};

/// Random patterns; half of them with exponents near one, so that operands interact.
template <class T>
std::vector<T> random_operands(unsigned seed) {
  using Bits = typename Traits<T>::Bits;
  constexpr int kMantissa = std::numeric_limits<T>::digits - 1;
  std::mt19937_64 random(seed);
  std::vector<T> operands(kSamples);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    auto bits = static_cast<Bits>(random());
    if (i % 2) {
      const Bits exponent = std::bit_cast<Bits>(T{1}) + (random() % 8 << kMantissa);
      bits = (bits & ((Bits{1} << kMantissa) - 1)) | exponent |
             (random() % 2 ? Bits{1} << (sizeof(T) * 8 - 1) : 0);
    }
    operands[i] = std::bit_cast<T>(bits);
  }
  return operands;
}

/// The results of one operation in the four rounding modes.
template <class T>
struct Rounded {
  std::vector<T> nearest, zero, down, up;
};

template <class T, class... Operands>
Rounded<T> run_rounded(std::string_view op, std::string_view operands,
                       const std::vector<Operands>&... values) {
  const auto run = [&](std::string_view mode) {
    return run_instruction<T>(fmt::format("{}.{}.{} {};", op, mode, Traits<T>::kName, operands),
                              values...);
  };
  return {run("rn"), run("rz"), run("rm"), run("rp")};
}

/// The number, or for an infinity the next power of two, which it stands for in rounding.
template <class T>
typename Traits<T>::Wide wide(T value) {
  using Wide = typename Traits<T>::Wide;
  if (!std::isinf(value)) return static_cast<Wide>(value);
  const T largest = std::numeric_limits<T>::max();
  const Wide next =
      static_cast<Wide>(largest) + static_cast<Wide>(largest - std::nextafter(largest, T{0}));
  return value > 0 ? next : -next;
}

/// Whether the four results are those of an exact number, by `side(x)`: -1, 0 or 1 as x is below,
/// equal to or above it.
template <class T, class Side>
bool rounded_correctly(const Rounded<T>& r, std::size_t i, Side side) {
  const T down = r.down[i];
  const T up = r.up[i];
  const int below = std::isinf(down) ? -1 : side(wide(down));
  const int above = std::isinf(up) ? 1 : side(wide(up));
  if (below > 0 || above < 0) return false;
  if (down == up) return below == 0 && r.nearest[i] == down && r.zero[i] == down;
  if (up != std::nextafter(down, std::numeric_limits<T>::infinity())) return false;
  if (below == 0 || above == 0) return false;
  if (r.zero[i] != (down >= 0 ? down : up)) return false;
  const int middle = side((wide(down) + wide(up)) / 2);
  const bool down_is_even = (std::bit_cast<typename Traits<T>::Bits>(down) & 1) == 0;
  const bool expect_down = middle > 0 || (middle == 0 && down_is_even);
  return r.nearest[i] == (expect_down ? down : up);
}

TEMPLATE_TEST_CASE("add, sub, mul and fma round the exact result in every mode", "[isa][float]",
                   float, double) {
  using T = TestType;
  using Wide = typename Traits<T>::Wide;
  const auto a = random_operands<T>(1);
  const auto b = random_operands<T>(2);
  const auto c = random_operands<T>(3);
  const auto add = run_rounded<T>("add", "%d, %a, %b", a, b);
  const auto sub = run_rounded<T>("sub", "%d, %a, %b", a, b);
  const auto mul = run_rounded<T>("mul", "%d, %a, %b", a, b);
  const auto fma = run_rounded<T>("fma", "%d, %a, %b, %c", a, b, c);
  std::size_t wrong = 0;
  std::size_t checked = 0;
  for (std::size_t i = 0; i < kSamples; ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i]) || !std::isfinite(c[i])) continue;
    const Wide x = a[i];
    const Wide y = b[i];
    const auto check = [&](const Rounded<T>& r, const Exact<Wide>& exact) {
      ++checked;
      if (!rounded_correctly(r, i, [&](Wide value) { return compare(value, exact); })) ++wrong;
    };
    check(add, exact_sum<Wide>(x, y));
    check(sub, exact_sum<Wide>(x, -y));
    check(mul, {x * y, 0});
    check(fma, exact_sum<Wide>(x * y, c[i]));
  }
  CHECK(checked > 3 * kSamples);
  CHECK(wrong == 0);
}

TEMPLATE_TEST_CASE("div, rcp and sqrt round the exact result in every mode", "[isa][float]", float,
                   double) {
  using T = TestType;
  using Wide = typename Traits<T>::Wide;
  const auto a = random_operands<T>(4);
  const auto b = random_operands<T>(5);
  const auto div = run_rounded<T>("div", "%d, %a, %b", a, b);
  const auto rcp = run_rounded<T>("rcp", "%d, %b", b, b);
  const auto sqrt = run_rounded<T>("sqrt", "%d, %a", a);
  const auto sign = [](Wide x) { return x < 0 ? -1 : x > 0 ? 1 : 0; };
  std::size_t wrong = 0;
  std::size_t checked = 0;
  for (std::size_t i = 0; i < kSamples; ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i]) || a[i] == 0 || b[i] == 0) continue;
    const Wide x = a[i];
    const Wide y = b[i];
    // Quotients are compared by products, which are exact: q < x / y as q * |y| < x * sign(y).
    const auto quotient = [&](Wide dividend) {
      return [&, dividend](Wide q) {
        return sign(q * (y < 0 ? -y : y) - (y < 0 ? -dividend : dividend));
      };
    };
    ++checked;
    if (!rounded_correctly(div, i, quotient(x))) ++wrong;
    if (!rounded_correctly(rcp, i, quotient(1))) ++wrong;
    if (a[i] > 0 &&
        !rounded_correctly(sqrt, i, [&](Wide r) { return r < 0 ? -1 : sign(r * r - x); })) {
      ++wrong;
    }
  }
  CHECK(checked > kSamples / 2);
  CHECK(wrong == 0);
}

TEST_CASE("f32 arithmetic returns one NaN, whatever NaN went in", "[isa][float]") {
  std::vector<float> a;
  std::vector<float> b;
  for (const std::uint32_t nan : {0x7f800001u, 0x7fc00000u, 0xffc00001u, 0xffffffffu}) {
    for (const float other : {1.0f, -0.0f, INFINITY, std::bit_cast<float>(0x7fabcdefu)}) {
      a.push_back(std::bit_cast<float>(nan));
      b.push_back(other);
    }
  }
  for (const std::string_view op : {"add", "sub", "mul", "div.rn", "div.approx", "min.NaN"}) {
    for (const auto& [first, second] : {std::pair(a, b), std::pair(b, a)}) {
      for (const float result :
           run_instruction<float>(fmt::format("{}.f32 %d, %a, %b;", op), first, second)) {
        CHECK(std::bit_cast<std::uint32_t>(result) == 0x7fffffffu);
      }
    }
  }
}

TEST_CASE("a NaN in one lane leaves the other lanes' results alone", "[isa][float]") {
  for (std::size_t lane = 0; lane < 32; ++lane) {
    std::vector<float> a(32, 3.0f);
    a[lane] = -INFINITY;
    const auto d = run_instruction<float>("fma.rn.f32 %d, %a, 0f00000000, 0f3f800000;", a);
    for (std::size_t i = 0; i < 32; ++i) {
      CHECK(std::bit_cast<std::uint32_t>(d[i]) == (i == lane ? 0x7fffffffu : 0x3f800000u));
    }
  }
}

TEST_CASE("ftz flushes subnormal operands and results to zeros of their sign", "[isa][float]") {
  const std::vector<float> tiny = {1e-40f, -1e-40f};
  CHECK(run_instruction<float>("add.ftz.f32 %d, %a, 0f3f800000;", tiny) ==
        std::vector<float>{1.0f, 1.0f});
  const auto product = run_instruction<float>("mul.ftz.f32 %d, %a, 0f3f000000;",
                                              std::vector<float>{1.5e-38f, -1.5e-38f});
  CHECK(std::bit_cast<std::uint32_t>(product[0]) == 0);
  CHECK(std::bit_cast<std::uint32_t>(product[1]) == 0x80000000u);
  CHECK(run_instruction<float>("mul.f32 %d, %a, 0f3f000000;", tiny) ==
        std::vector<float>{5e-41f, -5e-41f});
}

TEST_CASE("kernels do not see the host's rounding mode", "[isa][float]") {
  const std::vector<float> third = {1.0f};
  std::fesetround(FE_UPWARD);
  const auto up = run_instruction<float>("div.rn.f32 %d, %a, 0f40400000;", third);
  CHECK(std::fegetround() == FE_UPWARD);
  std::fesetround(FE_DOWNWARD);
  const auto down = run_instruction<float>("div.rn.f32 %d, %a, 0f40400000;", third);
  std::fesetround(FE_TONEAREST);
  CHECK(up == down);
}

#if defined(__SSE2__)
TEST_CASE("kernels keep subnormals where the host flushes them", "[isa][float]") {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);  // what -ffast-math sets at start-up
  const auto d =
      run_instruction<float>("mul.f32 %d, %a, 0f3f000000;", std::vector<float>{1.5e-38f});
  _mm_setcsr(before);
  CHECK(std::bit_cast<std::uint32_t>(d[0]) != 0);
}
#endif

TEST_CASE("forms that PTX does not have are refused by name", "[isa][float]") {
  const std::string start = "the emulator does not know this instruction: ";
  CHECK(refusal_of<double, double>("add.ftz.f64 %d, %a, %a;") ==
        start + "add.ftz.f64: modifier '.ftz'");
  CHECK(refusal_of<float, float>("fma.f32 %d, %a, %a, %a;") == start + "fma.f32: no rounding mode");
  CHECK(refusal_of<float, float>("fma.rn.relu.f32 %d, %a, %a, %a;") ==
        start + "fma.rn.relu.f32: modifier '.relu'");
  CHECK(refusal_of<float, float>("min.xorsign.f32 %d, %a, %a;") ==
        start + "min.xorsign.f32: '.xorsign' without '.abs'");
  CHECK(refusal_of<float, float>("sin.f32 %d, %a;") == start + "sin.f32: no '.approx'");
  CHECK(refusal_of<float, float>("cvt.rn.f32.f32 %d, %a;") ==
        start + "cvt.rn.f32.f32: rounding of an exact result");
  CHECK(refusal_of<float, double>("cvt.f32.f64 %d, %a;") ==
        start + "cvt.f32.f64: no rounding mode");
  CHECK(refusal_of<float, float>("set.lo.f32.f32 %d, %a, %a;") ==
        start + "set.lo.f32.f32: no comparison operator for floats");
}

}  // namespace
}  // namespace warpsim
