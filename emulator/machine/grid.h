#pragma once

#include "emulator/machine/context.h"

namespace warpsim {

/// Runs blocks of the launch on the calling thread until none is left. Blocks start in order of
/// their index, a started block is never abandoned, and when all that are started wait, one more
/// is started, up to what the card could hold.
void run_worker(Worker& worker);
/// The same under the debugger of the launch.
void run_debugged_worker(Worker& worker);

/// Where a block is in the grid. @param linear  in the order of blocks, by cluster and rank
[[nodiscard]] Dim3 block_index(const LaunchState& launch, std::uint64_t linear);

}  // namespace warpsim
