#pragma once

#include <cstdint>

#include "emulator/checkers/races/epoch.h"
#include "emulator/machine/race_hooks.h"

namespace warpsim {

/// A warp's access to memory, before it happens.
struct WarpAccess {
  Epoch epoch;  // without its lane
  std::uint32_t lanes = 0;
  std::uint32_t width = 0;  // bytes per lane
  const StoredValues* values = nullptr;  // stores; null: unknown
};

}  // namespace warpsim
