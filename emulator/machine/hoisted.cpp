#include "emulator/isa/description.h"
#include "emulator/machine/decoder.h"

// Instructions that a warp need not execute, as their result lasts as long as its frame: they are
// only counted, with the next one.

namespace warpsim {
namespace {

/// A warp's registers share a core's cache with those of the other warps of its block. A value that
/// is computed ahead has a place of its own, so there must not be many.
constexpr std::size_t kMostBytesAhead = 2048;

/// A special register is among the operands of a handler that has places of its own for them, where
/// it is not known whether its value changes with the block.
bool hides_special(const ptx::Instruction& instruction, const Inst& inst) {
  using Kind = ptx::Operand::Kind;
  std::size_t special = 0;
  for (const ptx::Operand& operand : instruction.operands) {
    if (operand.kind == Kind::special) ++special;
    for (const ptx::Operand& element : operand.elements) {
      if (element.kind == Kind::special) return true;
    }
  }
  if (special == 0) return false;
  const std::size_t places =
      std::size_t{inst.a >= 0} + std::size_t{inst.b >= 0} + std::size_t{inst.c >= 0};
  return places + 1 < instruction.operands.size();
}

}  // namespace

/// Nothing before the instruction names its destination, and nothing else writes it.
bool Decoder::is_only_write(const ptx::Instruction& instruction) const {
  if (instruction.guard.reg != ptx::kNoIndex || !before_.empty()) return false;
  const ptx::Operand& destination = instruction.operands[0];
  if (destination.kind != ptx::Operand::Kind::reg) return false;
  return writes_[destination.reg] == 1 && first_seen_[destination.reg] == ptx_index_;
}

/// The register keeps the value of a fixed slot from its only write on, and nothing before that
/// write in the code names it, so the slot can stand for it everywhere.
bool Decoder::is_propagated_copy(const ptx::Instruction& instruction, const Inst& inst) {
  if (!is_copy_ || !linker_.decoding().skips_copies) return false;
  if (!fixed_slots_.contains(inst.a) || !is_only_write(instruction)) return false;
  slots_[instruction.operands[0].reg] = inst.a;
  return true;
}

void Decoder::differs_by_warp(std::int32_t slot, std::size_t bytes) {
  warp_slots_.insert(slot);
  program_.warp_places.push_back({slot, static_cast<std::uint32_t>(bytes)});
}

/// The instruction computes from what is the same in every block of the launch (the thread's
/// number, the kernel's parameters) and so can be executed once, for all lanes, when a warp is
/// prepared. A lane that reads the result has been at the instruction, or the program would read
/// registers that it has not set.
bool Decoder::is_done_ahead(const ptx::Instruction& instruction, Inst inst) {
  if (!linker_.decoding().computes_ahead || !function_.is_entry || demand_.reads_unset)
    return false;
  if (is_control_ || inst.d2 >= 0 || describe(instruction).effect != Effect::pure) return false;
  if (!is_only_write(instruction) || hides_special(instruction, inst)) return false;
  bool by_warp = false;
  bool is_uniform = !describe(instruction).varies;
  const auto lasts = [&](std::int32_t slot) {
    by_warp = by_warp || warp_slots_.contains(slot);
    is_uniform = is_uniform && program_.uniform_place(slot) != nullptr;
    return launch_slots_.contains(slot);
  };
  for (const std::int32_t slot : {inst.a, inst.b, inst.c}) {
    if (slot >= 0 && !lasts(slot)) return false;
  }
  for (const std::uint32_t reg : register_use(instruction).reads) {
    if (!lasts(slots_[reg])) return false;
  }
  const std::uint32_t result = instruction.operands[0].reg;
  if (inst.d != slots_[result]) return false;
  const ptx::Type type = register_type(result);
  std::size_t bytes = sizeof(std::uint32_t);
  if (type != ptx::Type::pred) {
    bytes = kWarpSize * ptx::size_bytes(type);
    if (ahead_bytes_ + bytes > kMostBytesAhead) return false;
    ahead_bytes_ += bytes;
    inst.d = slots_[result] = allocate(bytes);
    if (is_uniform) keep_uniform(inst.d, bytes);
  }
  if (type != ptx::Type::pred) {
    lasts_for_launch(inst.d, bytes);
  } else {
    launch_slots_.insert(inst.d);
  }
  if (by_warp) differs_by_warp(inst.d, bytes);
  program_.ahead.push_back(inst);
  return true;
}

}  // namespace warpsim
