#pragma once

#include <cstdint>

namespace warpsim {

/// In the shadow of memory, a byte that a store of this width has written: how wide is what tells
/// padding from a member that was forgotten. Bit 0 alone is a byte that something else has written.
[[nodiscard]] constexpr std::uint8_t written_by_store(std::uint32_t bytes) {
  return static_cast<std::uint8_t>(1 | bytes << 1);
}
/// That width; 0: not known, or not written.
[[nodiscard]] constexpr std::uint32_t width_of_store(std::uint8_t shadow) {
  return shadow >> 1;
}

}  // namespace warpsim
