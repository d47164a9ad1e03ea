#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "emulator/cudart/box.h"

namespace warpsim::remote {

/// The target of a read or write request: rows of a box of memory, stored one after another in the
/// window. The box has slices of `height` rows; rows are numbered through all slices.
struct Rows {
  cudart::Side side;
  std::uint64_t width = 0;  // bytes
  std::uint64_t height = 1;
  std::uint64_t first = 0, count = 0;

  [[nodiscard]] std::byte* row(std::uint64_t i) const {
    const std::uint64_t at = side.address + side.offset((first + i) / height, (first + i) % height);
    return reinterpret_cast<std::byte*>(at);
  }
};

inline void gather(std::span<std::byte> window, const Rows& rows) {
  for (std::uint64_t i = 0; i < rows.count; ++i) {
    std::memcpy(window.data() + i * rows.width, rows.row(i), rows.width);
  }
}

inline void scatter(const Rows& rows, std::span<const std::byte> window) {
  for (std::uint64_t i = 0; i < rows.count; ++i) {
    std::memcpy(rows.row(i), window.data() + i * rows.width, rows.width);
  }
}

}  // namespace warpsim::remote
