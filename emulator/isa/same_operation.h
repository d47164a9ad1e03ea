#pragma once

#include "emulator/ptx/module.h"

namespace warpsim {

/// Whether both have one opcode with the same modifiers, whatever their operands are.
[[nodiscard]] inline bool is_same_operation(const ptx::Instruction& a, const ptx::Instruction& b) {
  return a.opcode == b.opcode && a.modifiers == b.modifiers;
}

}  // namespace warpsim
