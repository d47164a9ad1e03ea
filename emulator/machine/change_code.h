#pragma once

#include <vector>

#include "emulator/changes/changes.h"
#include "emulator/machine/index_pair.h"
#include "emulator/machine/linker.h"

// The changes of an experiment that are made to code: to its text when a module is loaded, and to
// what was decoded from it.

namespace warpsim {

/// Adds barriers and exchanges axes in all functions of a module that was just parsed.
void change_module(LoadedModule& module, Changes& changes);

/// Makes loads and stores of one place be done in turn (serialized_lanes.h), and accesses with
/// their two indices exchanged (index_pair.h).
void change_program(ChangedProgram& program, Changes& changes);

/// By instruction: whether it is of the lines that a change is about. One without a line of its own
/// is of the statement before it.
[[nodiscard]] std::vector<bool> of_lines(const LoadedModule& module, const ptx::Function& function,
                                         const Change& change);

/// Whether an instruction is a barrier that a change has added.
[[nodiscard]] bool is_added(const ptx::Instruction& instruction);

}  // namespace warpsim
