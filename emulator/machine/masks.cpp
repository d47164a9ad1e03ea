#include "emulator/machine/masks.h"

#include <algorithm>

#include "emulator/isa/description.h"
#include "emulator/machine/linker.h"

namespace warpsim {
namespace {

/// The operand that names the lanes of a `_sync` operation; null when it has none.
const ptx::Operand* mask_operand(const ptx::Instruction& instruction) {
  const int members = describe(instruction).members;
  return members < 0 ? nullptr : &instruction.operands[static_cast<std::size_t>(members)];
}

bool names(const ptx::Operand& operand, std::uint32_t reg) {
  return operand.reg == reg ||
         std::ranges::any_of(operand.elements, [&](const auto& e) { return names(e, reg); });
}

/// The only instruction that writes a register; null when there are several.
const ptx::Instruction* definition(const ptx::Function& function, std::uint32_t reg) {
  const ptx::Instruction* found = nullptr;
  for (const auto& instruction : function.instructions) {
    // Asked about every instruction for each mask: the first look has to be cheap.
    if (instruction.operands.empty() || !names(instruction.operands.front(), reg)) continue;
    if (role_of(describe(instruction), instruction, 0) != OperandRole::written) continue;
    if (found != nullptr) return nullptr;
    found = &instruction;
  }
  return found;
}

bool is_cooperative_groups(const ptx::Module& module, const ptx::Instruction& instruction) {
  std::uint32_t at = instruction.location;
  for (int depth = 0; at != ptx::kNoIndex && depth < 32; ++depth) {
    const ptx::SourceLocation& location = module.locations[at];
    const auto file = module.files.find(location.file);
    if (file != module.files.end() &&
        file->second.find("cooperative_groups") != std::string::npos) {
      return true;
    }
    at = location.inlined_at;
  }
  return false;
}

/// Whether a register is computed from another one, by instructions that are each the only writer
/// of their result.
bool comes_from(const ptx::Function& function, std::uint32_t reg, std::uint32_t source, int depth) {
  if (reg == source) return true;
  const ptx::Instruction* from = depth == 0 ? nullptr : definition(function, reg);
  if (from == nullptr) return false;
  return std::any_of(from->operands.begin() + 1, from->operands.end(), [&](const auto& operand) {
    return operand.kind == ptx::Operand::Kind::reg &&
           comes_from(function, operand.reg, source, depth - 1);
  });
}

/// An operation that is right whichever lanes are there: it finds groups of equal lanes, or takes
/// the value of a lane that was chosen from the mask, such as the leader of `__ffs(mask) - 1`.
bool takes_any_mask(const ptx::Function& function, const ptx::Instruction& instruction,
                    std::uint32_t mask) {
  const Description does = describe(instruction);
  if (does.collective == Collective::match_any) return true;
  constexpr std::size_t kSource = 2;  // shfl's b
  const ptx::Operand& source = instruction.operands[kSource];
  return does.collective == Collective::shuffle && source.kind == ptx::Operand::Kind::reg &&
         comes_from(function, source.reg, mask, 6);
}

}  // namespace

const ptx::Instruction* activemask_of(const ptx::Module& module, const ptx::Function& function,
                                      const ptx::Instruction& instruction) {
  const ptx::Operand* mask = mask_operand(instruction);
  if (mask == nullptr || mask->kind != ptx::Operand::Kind::reg) return nullptr;
  if (is_cooperative_groups(module, instruction)) return nullptr;
  std::uint32_t reg = mask->reg;
  for (int moves = 0; moves < 8; ++moves) {
    const ptx::Instruction* from = definition(function, reg);
    if (from == nullptr) return nullptr;
    const Description does = describe(*from);
    if (does.collective == Collective::active_mask) {
      const bool meant = is_cooperative_groups(module, *from) ||
                         takes_any_mask(function, instruction, from->operands.front().reg);
      return meant ? nullptr : from;
    }
    const bool move = does.copies && from->operands.size() == 2 &&
                      from->operands[1].kind == ptx::Operand::Kind::reg;
    if (!move) return nullptr;
    reg = from->operands[1].reg;
  }
  return nullptr;
}

bool mask_is_active_mask(const LoadedModule& module, const ptx::Function& function,
                         const ptx::Instruction& instruction) {
  return activemask_of(module.ptx, function, instruction) != nullptr;
}

}  // namespace warpsim
