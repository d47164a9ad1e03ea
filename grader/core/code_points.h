#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace warpgrade {

/// Of UTF-8: about as many columns as it takes on a terminal.
[[nodiscard]] inline std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace warpgrade
