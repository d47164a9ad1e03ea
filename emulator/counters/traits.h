#pragma once

#include "emulator/counters/counters.h"
#include "emulator/device/card.h"
#include "emulator/ptx/module.h"

namespace warpsim {

/// The counted properties of an instruction: its arithmetic by precision, whether it branches or
/// waits, and what it takes of a card's matrix pipe.
[[nodiscard]] InstructionTraits traits_of(const ptx::Instruction& instruction, AccessKind access,
                                          const Card& card);

}  // namespace warpsim
