#pragma once

#include "emulator/cudart/launch.h"

namespace warpsim::cudart {

/// The launch that an experiment makes of this one; the same where none is about it.
[[nodiscard]] LaunchOrder changed_launch(const Runtime& runtime, const KernelInfo& kernel,
                                         const LaunchOrder& order);

}  // namespace warpsim::cudart
