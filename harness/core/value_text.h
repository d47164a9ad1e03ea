#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace warpgrade {

/// A number with this many digits, by default enough to distinguish any two floats: "0.1", "nan",
/// "-inf". Whole numbers are in full: "16777216", not "1.677722e+07".
[[nodiscard]] inline std::string value_text(double value, int digits = 9) {
  constexpr double kInFull = 1e15;
  if (std::isnan(value)) return "nan";
  const bool whole = value == std::floor(value) && std::abs(value) < kInFull;
  return whole && value != 0 ? fmt::format("{:.0f}", value) : fmt::format("{:.{}g}", value, digits);
}

/// How a value is wrong that is this many times the right one: "3 times what it should be" or,
/// where that would be "1 times", "0.25 % too small".
[[nodiscard]] inline std::string factor_text(double factor) {
  const double percent = 100 * (factor - 1);
  if (std::abs(percent) >= 1) {
    return fmt::format("{} times what it should be", value_text(factor, 4));
  }
  return fmt::format("{} % too {}", value_text(std::abs(percent), 2),
                     percent < 0 ? "small" : "large");
}

}  // namespace warpgrade
