#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <random>

#include "emulator/tests/support/one_instruction.h"

// Accuracy of the approximate instructions on random operands, against the host's long double
// functions. The bounds are ours, tighter than PTX's; sin and cos have the hardware's, since they
// imitate how it reduces angles.

namespace warpsim {
namespace {

using Function = long double (*)(long double);

/// Random floats of either sign with exponents from `low` to `high`.
std::vector<float> random_floats(unsigned seed, int low, int high, bool positive) {
  std::mt19937 random(seed);
  std::vector<float> values(50000);
  for (float& value : values) {
    const int exponent = low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
    const float size =
        std::ldexp(1.0f + std::ldexp(static_cast<float>(random() >> 9), -23), exponent);
    value = positive || random() % 2 ? size : -size;
  }
  return values;
}

/// The largest error of `results` in units of the last place of the exact result.
double worst_ulp(const std::vector<float>& operands, const std::vector<float>& results,
                 Function f) {
  long double worst = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const long double exact = f(operands[i]);
    int exponent = 0;
    std::frexp(exact, &exponent);
    const long double unit = std::ldexp(1.0L, std::max(exponent - 24, -149));
    worst = std::max(worst, std::fabs((results[i] - exact) / unit));
  }
  return static_cast<double>(worst);
}

double worst_error(const std::vector<float>& operands, const std::vector<float>& results,
                   Function f) {
  long double worst = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    worst = std::max(worst, std::fabs(results[i] - f(operands[i])));
  }
  return static_cast<double>(worst);
}

std::vector<float> run(std::string_view op, const std::vector<float>& operands) {
  return run_instruction<float>(fmt::format("{}.f32 %d, %a;", op), operands);
}

TEST_CASE("rcp, sqrt, rsqrt, ex2, lg2 and tanh are rounded almost correctly", "[isa][approx]") {
  constexpr double kBound = 0.501;
  const auto any = random_floats(1, -140, 127, false);
  const auto positive = random_floats(2, -140, 127, true);
  const auto exponents = random_floats(3, -20, 6, false);
  const auto near_one = random_floats(4, -1, 0, true);
  const auto angles = random_floats(5, -12, 3, false);
  const auto small = random_floats(6, -125, 120, false);
  CHECK(worst_ulp(small, run("rcp.approx", small), [](long double x) { return 1 / x; }) < kBound);
  CHECK(worst_ulp(positive, run("sqrt.approx", positive), std::sqrt) < kBound);
  CHECK(worst_ulp(positive, run("rsqrt.approx", positive),
                  [](long double x) { return 1 / std::sqrt(x); }) < kBound);
  CHECK(worst_ulp(exponents, run("ex2.approx", exponents), std::exp2) < kBound);
  CHECK(worst_ulp(positive, run("lg2.approx", positive), std::log2) < kBound);
  CHECK(worst_ulp(near_one, run("lg2.approx", near_one), std::log2) < kBound);
  CHECK(worst_ulp(angles, run("tanh.approx", angles), std::tanh) < kBound);
  CHECK(worst_ulp(any, run("tanh.approx", any), std::tanh) < kBound);
}

TEST_CASE("sin and cos are as exact as the hardware's angle reduction", "[isa][approx]") {
  const auto one_turn = random_floats(7, -20, 1, false);  // |x| < 4
  const auto many = random_floats(8, 3, 7, false);  // 8 <= |x| < 256
  CHECK(worst_error(one_turn, run("sin.approx", one_turn), std::sin) < 0x1p-20);
  CHECK(worst_error(one_turn, run("cos.approx", one_turn), std::cos) < 0x1p-20);
  CHECK(worst_error(many, run("sin.approx", many), std::sin) < 0x1p-14);
  CHECK(worst_error(many, run("cos.approx", many), std::cos) < 0x1p-14);
  // The error of large angles is real: a program that relies on more should see it.
  CHECK(worst_error(many, run("sin.approx", many), std::sin) > 0x1p-18);
}

TEST_CASE("div.approx and div.full stay within two units in the last place", "[isa][approx]") {
  const auto a = random_floats(9, -60, 60, false);
  const auto b = random_floats(10, -60, 60, false);
  for (const std::string_view op : {"div.approx", "div.full"}) {
    const auto d = run_instruction<float>(fmt::format("{}.f32 %d, %a, %b;", op), a, b);
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double exact = static_cast<double>(a[i]) / static_cast<double>(b[i]);
      worst = std::max(worst, std::fabs(d[i] / exact - 1) * 0x1p23);
    }
    CHECK(worst <= 1);
  }
}

TEST_CASE("the f64 approximations use and return only the upper 32 bits", "[isa][approx]") {
  std::mt19937_64 random(11);
  std::vector<double> a(20000);
  for (double& value : a) {
    value = std::ldexp(1.0 + static_cast<double>(random() >> 12) * 0x1p-52,
                       static_cast<int>(random() % 1000) - 500);
  }
  const auto rcp = run_instruction<double>("rcp.approx.ftz.f64 %d, %a;", a);
  const auto rsqrt = run_instruction<double>("rsqrt.approx.ftz.f64 %d, %a;", a);
  const auto full = run_instruction<double>("rsqrt.approx.f64 %d, %a;", a);
  for (std::size_t i = 0; i < a.size(); ++i) {
    REQUIRE((std::bit_cast<std::uint64_t>(rcp[i]) & 0xffffffff) == 0);
    REQUIRE((std::bit_cast<std::uint64_t>(rsqrt[i]) & 0xffffffff) == 0);
    REQUIRE(std::fabs(rcp[i] * a[i] - 1) < 0x1p-19);
    REQUIRE(std::fabs(rsqrt[i] * rsqrt[i] * a[i] - 1) < 0x1p-18);
    REQUIRE(std::fabs(full[i] * full[i] * a[i] - 1) < 0x1p-50);
  }
}

TEST_CASE("ex2 reaches down into the subnormals unless they are flushed", "[isa][approx]") {
  const std::vector<float> exponents = {-126, -127, -149, -150, -151, 127, 128};
  const auto kept = run("ex2.approx", exponents);
  const auto flushed = run("ex2.approx.ftz", exponents);
  CHECK(kept == std::vector<float>{0x1p-126f, 0x1p-127f, 0x1p-149f, 0, 0, 0x1p127f, INFINITY});
  CHECK(flushed == std::vector<float>{0x1p-126f, 0, 0, 0, 0, 0x1p127f, INFINITY});
}

}  // namespace
}  // namespace warpsim
