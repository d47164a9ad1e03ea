#pragma once

#include "emulator/counters/counters.h"
#include "emulator/ptx/module.h"

namespace warpsim {

/// The counted properties of an instruction: its arithmetic by precision, whether it branches or
/// waits.
[[nodiscard]] InstructionTraits traits_of(const ptx::Instruction& instruction, AccessKind access);

}  // namespace warpsim
