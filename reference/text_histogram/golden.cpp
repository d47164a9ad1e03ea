#include <algorithm>
#include <cstdint>
#include <string>

#include "harness/golden/golden.h"

/// Byte by byte.
WARPGRADE_GOLDEN(call) {
  const auto text = call.input<std::uint8_t>("text");
  const auto bins = call.integers("bins");
  std::fill(bins.begin(), bins.end(), 0);
  const std::string letters = "abcdefghijklmnopqrstuvwxyz";
  for (const std::uint8_t byte : text) {
    const bool is_capital = byte >= 'A' && byte <= 'Z';
    const std::size_t place = letters.find(static_cast<char>(is_capital ? byte - 'A' + 'a' : byte));
    ++bins[place == std::string::npos ? 7 : place / 4];
  }
}
