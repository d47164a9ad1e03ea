#pragma once

#include "emulator/machine/context.h"

namespace warpsim {

/// Nothing of a block can go on. If threads wait at the barrier that an experiment has added, they
/// are let go, and the change is noted as one that cannot be made.
/// @returns whether there were any
bool leave_added_barrier(BlockContext& block);

}  // namespace warpsim
