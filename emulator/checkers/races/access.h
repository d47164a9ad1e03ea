#pragma once

#include <cstdint>

#include "emulator/checkers/races/epoch.h"
#include "emulator/isa/lane_shape.h"
#include "emulator/machine/observer.h"

namespace warpsim {

struct LaunchState;

/// A warp's access to memory, before it happens.
struct WarpAccess {
  Epoch epoch;  // without its lane
  std::uint32_t lanes = 0;
  std::uint32_t width = 0;  // bytes per lane
  const StoredValues* values = nullptr;  // stores; null: unknown
  // Of lanes that have a shape: that, and where the first one is.
  const LaneShape* shape = nullptr;
  std::uint64_t first = 0;
  /// Whose global memory it is, which still holds what was there; null: unknown.
  const LaunchState* launch = nullptr;
};

}  // namespace warpsim
