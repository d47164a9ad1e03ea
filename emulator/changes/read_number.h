#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace warpsim {

/// The whole text as a number without a sign. @returns nothing for another form, and for a number
/// of more than 32 bits
[[nodiscard]] inline std::optional<std::uint32_t> read_number(std::string_view text,
                                                              int base = 10) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace warpsim
