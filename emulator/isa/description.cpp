#include "emulator/isa/description.h"

#include <algorithm>

#include "emulator/isa/row.h"

namespace warpsim {
namespace {

void collect(const ptx::Operand& operand, std::vector<std::uint32_t>& registers) {
  if (operand.kind != ptx::Operand::Kind::label && operand.reg != ptx::kNoIndex) {
    registers.push_back(operand.reg);
  }
  for (const auto& element : operand.elements) collect(element, registers);
}

/// What the opcode does in all its forms.
const Semantics& semantics_of(const ptx::Instruction& instruction) {
  static constexpr Semantics kUnknown{};
  const auto rows = rows_named(instruction.opcode);
  return rows.empty() ? kUnknown : rows.front()->does;
}

}  // namespace

Description describe(const ptx::Instruction& instruction) {
  const Semantics& does = semantics_of(instruction);
  Description description = does.description;
  if (does.refine != nullptr) does.refine(instruction, description);
  return description;
}

Control control_of(const ptx::Instruction& instruction) {
  return semantics_of(instruction).description.control;
}

OperandRole role_of(const Description& description, const ptx::Instruction& instruction,
                    std::size_t operand) {
  using Kind = ptx::Operand::Kind;
  switch (instruction.operands[operand].kind) {
    case Kind::label:
      return OperandRole::label;
    case Kind::address:
      return OperandRole::address;
    case Kind::reg:
    case Kind::pair:
    case Kind::vector:
    case Kind::selected:
    case Kind::sink:
      if (operand == 0 && description.has_result) return OperandRole::written;
      break;
    default:
      break;
  }
  return static_cast<int>(operand) == description.members ? OperandRole::members
                                                          : OperandRole::read;
}

const ptx::Operand* address_of(const ptx::Instruction& instruction) {
  const auto found =
      std::ranges::find(instruction.operands, ptx::Operand::Kind::address, &ptx::Operand::kind);
  return found == instruction.operands.end() ? nullptr : &*found;
}

RegisterUse register_use(const ptx::Instruction& instruction) {
  const Semantics& does = semantics_of(instruction);
  Description description = does.description;
  if (does.refines_roles) does.refine(instruction, description);
  RegisterUse use;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const bool written = role_of(description, instruction, i) == OperandRole::written;
    collect(instruction.operands[i], written ? use.writes : use.reads);
    if (written && description.accumulates) collect(instruction.operands[i], use.reads);
  }
  if (instruction.guard.reg != ptx::kNoIndex) use.reads.push_back(instruction.guard.reg);
  return use;
}

ptx::Instruction make_return() {
  ptx::Instruction instruction;
  instruction.opcode = "ret";
  return instruction;
}

ptx::Instruction make_barrier(std::uint64_t id) {
  ptx::Instruction instruction;
  instruction.opcode = "bar";
  instruction.modifiers = {"sync"};
  instruction.operands.emplace_back();
  instruction.operands.back().kind = ptx::Operand::Kind::immediate;
  instruction.operands.back().bits = id;
  return instruction;
}

}  // namespace warpsim
