#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace warpgrade {

/// "1st", "2nd", "11th", "23rd"
[[nodiscard]] inline std::string ordinal(std::uint64_t number) {
  const bool teen = number % 100 / 10 == 1;
  constexpr std::string_view kEndings[] = {"th", "st", "nd", "rd"};
  const std::uint64_t last = number % 10;
  return fmt::format("{}{}", number, kEndings[teen || last > 3 ? 0 : last]);
}

}  // namespace warpgrade
