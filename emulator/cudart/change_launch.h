#pragma once

#include "emulator/cudart/launch.h"

namespace warpsim::cudart {

/// The launch as changed by an experiment; unchanged if no change applies to it.
[[nodiscard]] LaunchOrder changed_launch(const Runtime& runtime, const KernelInfo& kernel,
                                         const LaunchOrder& order);

}  // namespace warpsim::cudart
