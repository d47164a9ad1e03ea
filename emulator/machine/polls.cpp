#include "emulator/machine/polls.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "emulator/isa/description.h"
#include "emulator/machine/paths.h"

namespace warpsim {
namespace {

using ptx::Operand;

bool contains(const std::vector<std::uint32_t>& registers, std::uint32_t reg) {
  return std::ranges::find(registers, reg) != registers.end();
}

/// Whether one of them is marked.
bool any_of(const std::vector<std::uint32_t>& registers, const std::vector<bool>& marks) {
  return std::ranges::any_of(registers, [&](std::uint32_t reg) { return marks[reg]; });
}

/// Marks them. @returns whether one was not
bool mark(const std::vector<std::uint32_t>& registers, std::vector<bool>& marks) {
  bool grown = false;
  for (const std::uint32_t reg : registers) {
    grown = grown || !marks[reg];
    marks[reg] = true;
  }
  return grown;
}

}  // namespace

bool only_reads(const ptx::Instruction& instruction) {
  const Description does = describe(instruction);
  const bool has_old_value = does.effect == Effect::atomic && does.has_result;
  if (!has_old_value || instruction.operands.size() < 3) return false;
  const Operand& value = instruction.operands[2];
  if (value.kind != Operand::Kind::immediate) return false;
  switch (does.atomic) {
    case AtomicOperation::compare_and_swap: {
      const Operand& other = instruction.operands.back();
      return other.kind == Operand::Kind::immediate && other.bits == value.bits;
    }
    case AtomicOperation::add:
    case AtomicOperation::bit_or:
    case AtomicOperation::bit_xor:
      return value.bits == 0;
    default:
      return false;
  }
}

bool becomes_data(const ptx::Function& function, std::uint32_t index) {
  std::vector<bool> tainted(function.registers.size(), false);
  mark(register_use(function.instructions[index]).writes, tainted);
  for (bool grown = true; grown;) {
    grown = false;
    for (const ptx::Instruction& other : function.instructions) {
      // A predicate holds a decision, and so does what it guards or selects.
      const Description does = describe(other);
      if (does.decides || does.effect == Effect::branch) continue;
      // How long to sleep does not matter.
      if (does.effect == Effect::harmless && address_of(other) == nullptr) continue;
      RegisterUse use = register_use(other);
      if (other.guard.reg != ptx::kNoIndex) use.reads.pop_back();
      if (!any_of(use.reads, tainted)) continue;
      const bool memory = does.effect == Effect::load || does.effect == Effect::atomic;
      if (use.writes.empty() || memory || does.effect == Effect::call) return true;
      if (mark(use.writes, tainted)) grown = true;
    }
  }
  return false;
}

namespace {

struct LoopRange {
  std::uint32_t first = 0, last = 0;
};

/// The smallest range of instructions around `index` at whose end a branch leads to its beginning.
/// @returns false when there is none
bool find_loop(const ptx::Function& function, std::uint32_t index, LoopRange& loop) {
  bool found = false;
  for (std::uint32_t last = index; last < function.instructions.size(); ++last) {
    if (control_of(function.instructions[last]) != Control::branch) continue;
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
  const Description reads = describe(read);
  const bool strong_load = reads.effect == Effect::load && reads.strong();
  if ((!strong_load && !only_reads(read)) || read.operands.size() < 2) return false;
  const Operand& address = read.operands[1];
  LoopRange loop;
  if (!find_loop(function, index, loop)) return false;
  // What the loop's branches depend on. In two rounds, as a value may come round the loop.
  std::vector<bool> tainted(function.registers.size(), false);
  mark(register_use(read).writes, tainted);
  bool decides = false;
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t i = loop.first; i <= loop.last; ++i) {
      const ptx::Instruction& other = function.instructions[i];
      const Description does = describe(other);
      if (does.effect == Effect::store || does.effect == Effect::call) return false;
      if (does.effect == Effect::atomic && i != index) return false;
      const RegisterUse use = register_use(other);
      if (address.reg != ptx::kNoIndex && contains(use.writes, address.reg)) return false;
      if (!any_of(use.reads, tainted)) continue;
      if (does.control == Control::branch) decides = true;
      mark(use.writes, tainted);
    }
  }
  return decides;
}

bool draws(const ptx::Function& function, std::uint32_t index) {
  const ptx::Instruction& update = function.instructions[index];
  const Description does = describe(update);
  if (does.effect != Effect::atomic || !does.has_result || only_reads(update)) return false;
  const std::vector<std::uint32_t> results = register_use(update).writes;
  return std::ranges::any_of(function.instructions, [&](const ptx::Instruction& other) {
    return std::ranges::any_of(register_use(other).reads,
                               [&](std::uint32_t reg) { return contains(results, reg); });
  });
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
