#include "emulator/machine/polls.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "emulator/machine/paths.h"

namespace warpsim {
namespace {

using ptx::Operand;

/// Calls `visit` with each register that an operand names.
template <class F>
void for_each_register(const Operand& operand, F visit) {
  if (operand.reg != ptx::kNoIndex) visit(operand.reg);
  for (const Operand& element : operand.elements) for_each_register(element, visit);
}

bool writes_register(const ptx::Instruction& instruction) {
  return !instruction.operands.empty() && instruction.opcode != "st" &&
         instruction.opcode != "red" && instruction.opcode != "bra" &&
         instruction.operands.front().kind != Operand::Kind::address;
}

bool writes(const ptx::Instruction& instruction, std::uint32_t reg) {
  bool found = false;
  if (writes_register(instruction)) {
    for_each_register(instruction.operands.front(),
                      [&](std::uint32_t other) { found = found || other == reg; });
  }
  return found;
}

/// Calls `visit` with each register that an instruction reads.
template <class F>
void for_each_source(const ptx::Instruction& instruction, F visit) {
  if (instruction.guard.reg != ptx::kNoIndex) visit(instruction.guard.reg);
  for (std::size_t i = writes_register(instruction) ? 1 : 0; i < instruction.operands.size(); ++i) {
    for_each_register(instruction.operands[i], visit);
  }
}

}  // namespace

bool only_reads(const ptx::Instruction& instruction) {
  if (instruction.opcode != "atom" || instruction.operands.size() < 3) return false;
  const Operand& value = instruction.operands[2];
  if (value.kind != Operand::Kind::immediate) return false;
  if (instruction.has("cas")) {
    const Operand& other = instruction.operands.back();
    return other.kind == Operand::Kind::immediate && other.bits == value.bits;
  }
  return value.bits == 0 &&
         (instruction.has("add") || instruction.has("or") || instruction.has("xor"));
}

bool becomes_data(const ptx::Function& function, std::uint32_t index) {
  std::vector<bool> tainted(function.registers.size(), false);
  for_each_register(function.instructions[index].operands.front(),
                    [&](std::uint32_t reg) { tainted[reg] = true; });
  for (bool grown = true; grown;) {
    grown = false;
    for (const ptx::Instruction& other : function.instructions) {
      // A predicate holds a decision, and so does what it guards or selects.
      if (other.opcode == "setp" || other.opcode == "bra") continue;
      bool depends = false;
      for (std::size_t i = writes_register(other) ? 1 : 0; i < other.operands.size(); ++i) {
        for_each_register(other.operands[i],
                          [&](std::uint32_t reg) { depends = depends || tainted[reg]; });
      }
      if (!depends) continue;
      if (!writes_register(other) || other.opcode == "ld" || other.opcode == "atom" ||
          other.opcode == "call") {
        return true;
      }
      for_each_register(other.operands.front(), [&](std::uint32_t reg) {
        grown = grown || !tainted[reg];
        tainted[reg] = true;
      });
    }
  }
  return false;
}

namespace {

struct Range {
  std::uint32_t first = 0, last = 0;
};

/// The smallest range of instructions around `index` at whose end a branch leads to its beginning.
/// @returns false when there is none
bool find_loop(const ptx::Function& function, std::uint32_t index, Range& loop) {
  bool found = false;
  for (std::uint32_t last = index; last < function.instructions.size(); ++last) {
    if (function.instructions[last].opcode != "bra") continue;
    for (const std::uint32_t first : branch_targets(function, last)) {
      if (first > index || (found && last - first >= loop.last - loop.first)) continue;
      loop = {first, last};
      found = true;
    }
  }
  return found;
}

}  // namespace

bool polls(const ptx::Function& function, std::uint32_t index) {
  const ptx::Instruction& read = function.instructions[index];
  const bool strong_load = read.opcode == "ld" && (read.has("volatile") || read.has("relaxed") ||
                                                   read.has("acquire") || read.has("mmio"));
  if ((!strong_load && !only_reads(read)) || read.operands.size() < 2) return false;
  const Operand& address = read.operands[1];
  Range loop;
  if (!find_loop(function, index, loop)) return false;
  // What the loop's branches depend on. In two rounds, as a value may come round the loop.
  std::vector<bool> tainted(function.registers.size(), false);
  for_each_register(read.operands.front(), [&](std::uint32_t reg) { tainted[reg] = true; });
  bool decides = false;
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t i = loop.first; i <= loop.last; ++i) {
      const ptx::Instruction& other = function.instructions[i];
      if (other.opcode == "st" || other.opcode == "red" || other.opcode == "call") return false;
      if (other.opcode == "atom" && i != index) return false;
      if (address.reg != ptx::kNoIndex && writes(other, address.reg)) return false;
      bool depends = false;
      for_each_source(other, [&](std::uint32_t reg) { depends = depends || tainted[reg]; });
      if (!depends) continue;
      if (other.opcode == "bra") decides = true;
      if (writes_register(other)) {
        for_each_register(other.operands.front(), [&](std::uint32_t reg) { tainted[reg] = true; });
      }
    }
  }
  return decides;
}

bool draws(const ptx::Function& function, std::uint32_t index) {
  const ptx::Instruction& update = function.instructions[index];
  if (update.opcode != "atom" || only_reads(update)) return false;
  bool used = false;
  for_each_register(update.operands.front(), [&](std::uint32_t result) {
    for (const ptx::Instruction& other : function.instructions) {
      for_each_source(other, [&](std::uint32_t reg) { used = used || reg == result; });
    }
  });
  return used;
}

bool looks_again(WarpContext& context, const Inst& in, const std::uint64_t* address,
                 std::uint32_t lanes) {
  if (context.polls == nullptr) context.polls = std::make_shared<Polls>();
  bool again = true;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    const Polls::Look now{&in, address[lane]};
    again = again && now == context.polls->last[lane];
    context.polls->last[lane] = now;
  }
  return again;
}

}  // namespace warpsim
