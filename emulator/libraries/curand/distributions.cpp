#include "emulator/libraries/curand/distributions.h"

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

namespace warpsim::curand {
namespace {

constexpr float kTwoPi = 2 * std::numbers::pi_v<float>;

/// The normal number whose tail holds the part `tail`, at most 1/2, of all.
double normal_of_tail(double tail) {
  return std::numbers::sqrt2 * boost::math::erfc_inv(2 * tail);
}

}  // namespace

std::array<float, 2> box_muller(float distance, float radians) {
  const auto logarithm = static_cast<float>(std::log(static_cast<double>(distance)));
  const float size = std::sqrt(-2.0F * logarithm);
  const double angle = radians;
  return {static_cast<float>(std::sin(angle)) * size, static_cast<float>(std::cos(angle)) * size};
}

std::array<double, 2> box_muller(double distance, double half_turns) {
  const double size = std::sqrt(-2.0 * std::log(distance));
  const long double angle = std::numbers::pi_v<long double> * half_turns;
  return {static_cast<double>(std::sin(angle)) * size, static_cast<double>(std::cos(angle)) * size};
}

std::array<float, 2> box_muller(std::uint32_t x, std::uint32_t y) {
  constexpr float kUnit = 0x1p-32F * kTwoPi;
  return box_muller(uniform_float(x), std::fma(static_cast<float>(y), kUnit, kUnit / 2));
}

std::array<double, 2> box_muller(const std::array<std::uint32_t, 4>& words) {
  const auto angle = static_cast<double>(join(words[2], words[3]));
  return box_muller(uniform_double(join(words[0], words[1])),
                    angle * (2 * kTwoToMinus53) + kTwoToMinus53);
}

float normal_float(std::uint32_t x) {
  constexpr std::uint32_t kHalf = 0x80000000;
  const bool is_upper = x > kHalf;
  const float tail = uniform_float(is_upper ? ~x : x);
  const auto size = static_cast<float>(normal_of_tail(static_cast<double>(tail)));
  return is_upper ? size : -size;
}

double normal_double(std::uint32_t x) {
  constexpr std::uint32_t kHalf = 0x80000000;
  const bool is_upper = x > kHalf;
  const double size = normal_of_tail((is_upper ? ~x : x) * kTwoToMinus32 + kTwoToMinus32 / 2);
  return is_upper ? size : -size;
}

double normal_double_of_53(std::uint64_t bits) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 52;
  const bool is_upper = bits > kHalf;
  const double size = normal_of_tail(uniform_double(is_upper ? 2 * kHalf - 1 - bits : bits));
  return is_upper ? size : -size;
}

}  // namespace warpsim::curand
