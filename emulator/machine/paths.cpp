#include "emulator/machine/paths.h"

#include "emulator/isa/description.h"

namespace warpsim {
namespace {

bool waits_for_block(const ptx::Instruction& instruction) {
  const Description does = describe(instruction);
  return (does.is_block_barrier() || does.is_cluster_barrier()) && !does.arrives_only;
}

}  // namespace

std::vector<std::uint32_t> branch_targets(const ptx::Function& function, std::uint32_t index) {
  const ptx::Instruction& instruction = function.instructions[index];
  if (instruction.operands.size() > 1 && control_of(instruction) == Control::indexed_branch) {
    const auto table = function.branch_tables.find(instruction.operands[1].text);
    if (table != function.branch_tables.end()) return table->second;
  }
  std::vector<std::uint32_t> targets;
  for (const ptx::Operand& operand : instruction.operands) {
    if (operand.kind == ptx::Operand::Kind::label) targets.push_back(operand.target);
  }
  return targets;
}

bool ends_block(const ptx::Instruction& instruction) {
  return transfers_control(control_of(instruction));
}

bool falls_through(const ptx::Instruction& instruction) {
  return !ends_block(instruction) || instruction.guard.reg != ptx::kNoIndex;
}

bool reaches_without_barrier(const ptx::Function& function, std::uint32_t from, std::uint32_t to) {
  const auto count = static_cast<std::uint32_t>(function.instructions.size());
  std::vector<bool> seen(count, false);
  std::vector<std::uint32_t> open;
  const auto leave = [&](std::uint32_t index) {
    const auto visit = [&](std::uint32_t next) {
      if (next < count && !seen[next]) {
        seen[next] = true;
        open.push_back(next);
      }
    };
    for (const std::uint32_t target : branch_targets(function, index)) visit(target);
    if (falls_through(function.instructions[index])) visit(index + 1);
  };
  if (from < count) leave(from);
  while (!open.empty()) {
    const std::uint32_t index = open.back();
    open.pop_back();
    if (index == to) return true;
    if (!waits_for_block(function.instructions[index])) leave(index);
  }
  return false;
}

}  // namespace warpsim
