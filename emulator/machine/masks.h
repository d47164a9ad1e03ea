#pragma once

#include "emulator/ptx/module.h"

namespace warpsim {

struct LoadedModule;

/// The instruction that defines the mask of a `_sync` operation, when that is activemask and both
/// were written by the program: cooperative groups ask for the active lanes on purpose. So do
/// operations that are right with any lanes: `match.any`, and a shuffle from a lane that is
/// computed from the mask.
/// @returns null for any other mask, and for instructions without one
[[nodiscard]] const ptx::Instruction* activemask_of(const ptx::Module& module,
                                                    const ptx::Function& function,
                                                    const ptx::Instruction& instruction);
[[nodiscard]] bool mask_is_active_mask(const LoadedModule& module, const ptx::Function& function,
                                       const ptx::Instruction& instruction);

}  // namespace warpsim
