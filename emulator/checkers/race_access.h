#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/checkers/race_stamp.h"

namespace warpsim {

/// What the lanes of a warp store, as registers: up to four elements of equal size a lane.
struct StoredValues {
  const std::byte* registers[4] = {};  // 32 lanes of `register_bytes` each
  std::uint32_t count = 0;  // elements
  std::uint32_t register_bytes = 0;
  std::uint32_t element_bytes = 0;

  /// One byte of what a lane stores.
  [[nodiscard]] std::byte byte(std::size_t lane, std::size_t index) const {
    return registers[index / element_bytes][lane * register_bytes + index % element_bytes];
  }
};

/// A warp's access to memory, before it happens.
struct WarpAccess {
  Stamp stamp;  // without its lane
  std::uint32_t lanes = 0;
  std::uint32_t width = 0;  // bytes a lane
  const StoredValues* values = nullptr;  // stores; null: unknown
};

}  // namespace warpsim
