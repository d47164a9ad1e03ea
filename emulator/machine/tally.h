#pragma once

#include <memory>
#include <vector>

#include "emulator/machine/context.h"

namespace warpsim {

/// Sums what the workers counted in one launch, by kind of access and by source line.
[[nodiscard]] KernelCounters tally(const LaunchState& launch,
                                   const std::vector<std::unique_ptr<Worker>>& workers);

/// Adds a launch's counters to the kernel's totals, or starts them.
void add_launch(std::vector<KernelCounters>& kernels, KernelCounters launch);

}  // namespace warpsim
