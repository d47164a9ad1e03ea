#pragma once

#include "emulator/ptx/module.h"

namespace warpsim {

struct LaunchState;

/// Whether threads of a function may learn of what others did: it has fences or accesses that
/// acquire or release, volatile ones among them, or what may contain some. Relaxed atomics alone
/// order nothing.
[[nodiscard]] bool synchronizes(const ptx::Function& function);

/// Whether a block of the launch may learn of what another one did, so that blocks have to be
/// compared as they go on.
[[nodiscard]] bool blocks_may_learn(const LaunchState& launch);

}  // namespace warpsim
