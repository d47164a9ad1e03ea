#pragma once

#include <vector>

#include "emulator/machine/context.h"

namespace warpsim {

/// What a launch that has ended did to memory that host code can reach, or to all of it, as the
/// race checker saw it; empty without one.
[[nodiscard]] std::vector<MemoryUse> find_memory_uses(const LaunchState& launch, bool all);

/// Which bytes of all memory a launch that has ended read and wrote, likewise. What texture
/// instructions and loads of constants read is not among them.
[[nodiscard]] TouchedMemory find_touched_memory(const LaunchState& launch);

}  // namespace warpsim
