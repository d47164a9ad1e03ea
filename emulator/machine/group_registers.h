#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/machine/group_state.h"
#include "emulator/machine/program.h"

// Registers of wgmma, which other instructions may use only when it has been waited for, and which
// it may use only after a fence when others have written them.

namespace warpsim {

/// Of a program with wgmma.
struct GroupRegisters {
  /// An instruction besides wgmma that uses such registers.
  struct Touch {
    Handler run = nullptr;  // its own handler
    std::vector<std::uint32_t> reads, writes;  // numbers of registers
    bool copies = false;  // one to another
  };
  /// By index of the instruction.
  std::unordered_map<std::uint32_t, Touch> touches;
  struct Operands {
    std::vector<std::uint32_t> sums, factors;  // numbers of registers
  };
  std::unordered_map<std::uint32_t, Operands> products;
  std::uint32_t count = 0;
};

/// Finds them in a program that has wgmma, and puts a handler that checks before each instruction
/// that touches them.
void watch_group_registers(Program& program);

/// A wgmma is about to execute, and then is under way: checks and notes its registers.
void begin_group_registers(WarpContext& context, const Inst& in, GroupState& state);

}  // namespace warpsim
