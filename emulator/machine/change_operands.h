#pragma once

#include "emulator/changes/changes.h"
#include "emulator/machine/linker.h"

// The changes of an experiment that put other operands or other types into a module's code: what an
// index is computed from.

namespace warpsim {

/// Exchanges x and y, threadIdx and blockIdx, or the operands of an index; multiplies by another
/// parameter; reads signed bytes as unsigned ones. Other kinds of changes are left alone.
void change_operands(LoadedModule& module, const Change& change, Changes& changes);

}  // namespace warpsim
