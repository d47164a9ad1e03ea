#pragma once

#include <array>
#include <cstdint>

// From random bits to numbers of a distribution, by the formulas of curand_uniform.h and
// curand_normal.h. Where a GPU evaluates an approximation, these evaluate the function.

namespace warpsim::curand {

inline constexpr double kTwoToMinus32 = 0x1p-32;
inline constexpr double kTwoToMinus53 = 0x1p-53;

[[nodiscard]] constexpr float uniform_float(std::uint32_t x) {
  return static_cast<float>(x) * 0x1p-32F + 0x1p-33F;
}
/// 53 random bits of two numbers. @param high  its upper 21 bits
[[nodiscard]] constexpr std::uint64_t join(std::uint32_t low, std::uint32_t high) {
  return low ^ (static_cast<std::uint64_t>(high) << 21);
}
/// @param bits  53 of them
[[nodiscard]] constexpr double uniform_double(std::uint64_t bits) {
  return static_cast<double>(bits) * kTwoToMinus53 + kTwoToMinus53 / 2;
}

/// Two normal numbers of one distance from 0 and one angle, which are uniform numbers.
[[nodiscard]] std::array<float, 2> box_muller(float distance, float radians);
/// @param half_turns  the angle in units of pi
[[nodiscard]] std::array<double, 2> box_muller(double distance, double half_turns);
[[nodiscard]] std::array<float, 2> box_muller(std::uint32_t x, std::uint32_t y);
/// @param words  two for the distance, two for the angle
[[nodiscard]] std::array<double, 2> box_muller(const std::array<std::uint32_t, 4>& words);

/// The normal number below which the part x / 2^32 of all lies, or the part x / 2^53.
[[nodiscard]] float normal_float(std::uint32_t x);
[[nodiscard]] double normal_double(std::uint32_t x);
[[nodiscard]] double normal_double_of_53(std::uint64_t bits);

}  // namespace warpsim::curand
