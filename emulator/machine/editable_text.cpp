#include "emulator/machine/editable_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "emulator/isa/description.h"
#include "emulator/machine/replace_part.h"
#include "emulator/machine/source_lines.h"

namespace warpsim {
namespace {

using OperandKind = ptx::Operand::Kind;

std::string base_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return std::string(slash == path.npos ? path : path.substr(slash + 1));
}

bool is_plain(const ptx::Instruction& instruction) {
  return instruction.guard.reg == ptx::kNoIndex && instruction.operands.size() == 2 &&
         instruction.operands[0].kind == OperandKind::reg;
}

void shift_labels_after(std::vector<ptx::Operand>& operands, std::uint32_t at) {
  for (ptx::Operand& operand : operands) {
    if (operand.kind == OperandKind::label && operand.target != ptx::kNoIndex &&
        operand.target > at) {
      ++operand.target;
    }
    shift_labels_after(operand.elements, at);
  }
}

/// Puts an instruction before another one; jumps to that one come by it.
void insert(ptx::Function& function, std::uint32_t at, ptx::Instruction added) {
  for (ptx::Instruction& instruction : function.instructions)
    shift_labels_after(instruction.operands, at);
  for (auto& [name, targets] : function.branch_tables) {
    for (std::uint32_t& target : targets) target += target > at ? 1 : 0;
  }
  function.instructions.insert(function.instructions.begin() + at, std::move(added));
}

}  // namespace

EditableText::EditableText(const LoadedModule& module, const ptx::Function& function)
    : function_(&function) {
  find_places(module);
  find_values();
}

void EditableText::find_places(const LoadedModule& module) {
  std::map<Place, std::uint32_t> numbers;
  std::map<std::uint32_t, std::uint32_t> known;  // by location
  places_.emplace_back();
  std::uint32_t last = 0;
  for (const ptx::Instruction& instruction : function_->instructions) {
    const std::uint32_t at = instruction.location;
    if (at != ptx::kNoIndex && module.ptx.locations[at].line != 0) {
      const auto [it, added] = known.try_emplace(at, 0);
      if (added) {
        const ptx::SourceLocation* own = own_location(module, &module.ptx.locations[at]);
        Place place = {base_name(file_of(module, own->file)), own->line, own->column};
        const auto next = static_cast<std::uint32_t>(places_.size());
        const auto [number, is_new] = numbers.try_emplace(place, next);
        if (is_new) places_.push_back(std::move(place));
        it->second = number->second;
      }
      last = it->second;
    }
    numbers_.push_back(last);
    std::string text(instruction.opcode);
    for (const std::string_view modifier : instruction.modifiers) {
      text += '.';
      text += modifier;
    }
    opcodes_.push_back(std::move(text));
  }
}

void EditableText::find_values() {
  std::vector<std::uint32_t> writes(function_->registers.size(), 0);
  for (const ptx::Instruction& instruction : function_->instructions) {
    for (const std::uint32_t reg : register_use(instruction).writes) ++writes[reg];
  }
  for (std::size_t i = 0; i < function_->instructions.size(); ++i) {
    const ptx::Instruction& instruction = function_->instructions[i];
    if (!is_plain(instruction) || writes[instruction.operands[0].reg] != 1) continue;
    const ptx::Operand& source = instruction.operands[1];
    const Description does = describe(instruction);
    std::string value;
    if (does.copies && source.kind == OperandKind::special) {
      value = source.text;
    } else if (source.kind == OperandKind::reg &&
               (does.copies || does.index == IndexArithmetic::converted)) {
      value = held_by(source.reg);
    } else if (does.effect == Effect::load && does.space == ptx::Space::param &&
               source.offset == 0 && function_->is_entry) {
      const auto found =
          std::ranges::find(function_->parameters, source.text, &ptx::Variable::name);
      const bool whole = found != function_->parameters.end() && found->size_bytes == 4 &&
                         ptx::size_bytes(does.type) == 4 && does.type != ptx::Type::f32;
      if (!whole) continue;
      const auto number = static_cast<std::uint32_t>(found - function_->parameters.begin());
      loads_.try_emplace(number, i);
      value = fmt::format("p{}", number);
    }
    if (!value.empty()) held_[instruction.operands[0].reg] = std::move(value);
  }
}

std::string EditableText::held_by(std::uint32_t reg) const {
  const auto it = held_.find(reg);
  return it == held_.end() ? std::string() : it->second;
}

bool EditableText::is_meant(const CodeEdit& edit, std::size_t i) const {
  const Place& at = place(i);
  return at.line == edit.line && at.column == edit.column && opcodes_[i] == edit.opcode &&
         at.file == edit.file && stands_in(*this, i, edit.part, edit.from);
}

std::optional<ptx::Function> EditableText::edited(const CodeEdit& edit, std::size_t& count) const {
  count = 0;
  std::vector<std::uint32_t> meant;
  for (std::uint32_t i = 0; i < opcodes_.size(); ++i) {
    if (is_meant(edit, i)) meant.push_back(i);
  }
  if (edit.only != 0) {
    if (edit.only > meant.size()) return std::nullopt;
    meant = {meant[edit.only - 1]};
  }
  if (meant.empty()) return std::nullopt;
  ptx::Function function = *function_;
  // From the end, so that places keep their numbers.
  for (auto i = meant.rbegin(); i != meant.rend(); ++i) {
    std::vector<ptx::Instruction> before;
    if (!replace_part(*this, *i, edit, function, before)) continue;
    ++count;
    for (auto it = before.rbegin(); it != before.rend(); ++it) insert(function, *i, std::move(*it));
  }
  return count == 0 ? std::nullopt : std::optional(std::move(function));
}

}  // namespace warpsim
