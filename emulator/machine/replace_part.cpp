#include "emulator/machine/replace_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "emulator/isa/description.h"
#include "emulator/machine/edit_tables.h"

namespace warpsim {
namespace {

using OperandKind = ptx::Operand::Kind;
using Literal = ptx::Operand::Literal;

/// A word of the tables, which outlives an edit: texts of modules are views, and an edit's own text
/// may be gone before the code that it made. Empty for another.
std::string_view word_of(std::string_view text) {
  std::string_view found;
  const auto look_in = [&](const auto& table) {
    for (const Replacement& one : table) {
      if (one.from == text) found = one.from;
      if (one.to == text) found = one.to;
    }
  };
  look_in(kComparisons);
  look_in(kOpcodes);
  look_in(kModifiers);
  look_in(kSigns);
  look_in(kSpecials);
  return found;
}

std::optional<std::size_t> operand_number(std::string_view part) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
  if (error != std::errc{} || end != part.data() + part.size()) return std::nullopt;
  return number;
}

std::optional<std::int64_t> integer(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

template <class Float>
std::string spelled(Float value, std::string_view prefix) {
  using Limits = std::numeric_limits<Float>;
  const std::string sign = std::signbit(value) ? "-" : "";
  const Float size = std::abs(value);
  if (std::isnan(value)) return {};
  if (std::isinf(value)) return sign + "inf";
  if (size == Limits::max()) return fmt::format("{}{}_MAX", sign, prefix);
  if (size == Limits::min()) return fmt::format("{}{}_MIN", sign, prefix);
  return fmt::format("{}", value);
}

template <class Float>
std::optional<Float> float_of(std::string_view text, std::string_view prefix) {
  using Limits = std::numeric_limits<Float>;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  Float value = 0;
  if (text == "inf") {
    value = Limits::infinity();
  } else if (text.starts_with(prefix) && text.ends_with("_MAX")) {
    value = Limits::max();
  } else if (text.starts_with(prefix) && text.ends_with("_MIN")) {
    value = Limits::min();
  } else {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  }
  return negative ? -value : value;
}

bool set_constant(ptx::Operand& operand, std::string_view to) {
  switch (operand.literal) {
    case Literal::integer:
      if (const auto value = integer(to)) {
        operand.bits = static_cast<std::uint64_t>(*value);
        return true;
      }
      return false;
    case Literal::f32_bits:
      if (const auto value = float_of<float>(to, "FLT")) {
        operand.bits = std::bit_cast<std::uint32_t>(*value);
        return true;
      }
      return false;
    case Literal::f64_bits:
    case Literal::decimal_float:
      if (const auto value = float_of<double>(to, "DBL")) {
        operand.bits = std::bit_cast<std::uint64_t>(*value);
        return true;
      }
      return false;
  }
  return false;
}

/// A register of a type that the function did not have.
std::uint32_t new_register(ptx::Function& function, ptx::Type type) {
  function.registers.push_back({"%edited", type});
  return static_cast<std::uint32_t>(function.registers.size() - 1);
}

ptx::Operand reg_operand(std::uint32_t reg) {
  ptx::Operand operand;
  operand.kind = OperandKind::reg;
  operand.reg = reg;
  return operand;
}

ptx::Operand constant(std::int64_t value) {
  ptx::Operand operand;
  operand.kind = OperandKind::immediate;
  operand.bits = static_cast<std::uint64_t>(value);
  return operand;
}

ptx::Instruction make(const ptx::Instruction& beside, std::string_view opcode,
                      std::vector<std::string_view> modifiers, std::vector<ptx::Operand> operands) {
  ptx::Instruction made;
  made.opcode = opcode;
  made.modifiers = std::move(modifiers);
  made.operands = std::move(operands);
  made.location = beside.location;
  made.ptx_line = beside.ptx_line;
  return made;
}

/// The instruction that computes what a register operand is replaced by.
std::optional<ptx::Instruction> computed(const EditableText& text, const ptx::Instruction& beside,
                                         std::uint32_t old, std::string_view to,
                                         ptx::Function& function) {
  const ptx::Type type = function.registers[old].type;
  const std::size_t bytes = ptx::size_bytes(type);
  if (to == "negated") {
    const bool is_double = bytes == 8;
    return make(beside, "neg", {is_double ? "f64" : "f32"},
                {reg_operand(new_register(function, type)), reg_operand(old)});
  }
  if (to.starts_with('+') || to.starts_with('-')) {
    const auto by = integer(to);
    if (!by || (bytes != 4 && bytes != 8)) return std::nullopt;
    return make(beside, "add", {bytes == 8 ? "s64" : "s32"},
                {reg_operand(new_register(function, type)), reg_operand(old), constant(*by)});
  }
  if (bytes != 4) return std::nullopt;
  if (to.starts_with('*')) {
    const auto by = integer(to.substr(1));
    if (!by) return std::nullopt;
    return make(beside, "mul", {"lo", "s32"},
                {reg_operand(new_register(function, type)), reg_operand(old), constant(*by)});
  }
  if (to.starts_with('p')) {
    const auto number = operand_number(to.substr(1));
    const auto load =
        number ? text.loads().find(static_cast<std::uint32_t>(*number)) : text.loads().end();
    if (load == text.loads().end()) return std::nullopt;
    ptx::Instruction copy = text.function().instructions[load->second];
    copy.operands[0] = reg_operand(new_register(function, type));
    copy.location = beside.location;
    return copy;
  }
  const std::string_view special = word_of(to);
  if (special.empty()) return std::nullopt;
  ptx::Operand source;
  source.kind = OperandKind::special;
  source.text = special;
  return make(beside, "mov", {"u32"}, {reg_operand(new_register(function, type)), source});
}

bool replace_word(ptx::Instruction& instruction, const CodeEdit& edit) {
  const std::string_view to = word_of(edit.to);
  if (to.empty()) return false;
  if (instruction.opcode == edit.from) {
    instruction.opcode = to;
    if (edit.from == "mul") std::erase(instruction.modifiers, "lo");
    return true;
  }
  const auto it = std::ranges::find(instruction.modifiers, std::string_view(edit.from));
  if (it == instruction.modifiers.end()) return false;
  *it = to;
  return true;
}

bool replace_guard(ptx::Instruction& instruction, std::size_t at, const CodeEdit& edit) {
  if (edit.to == "negated") {
    instruction.guard.negated = !instruction.guard.negated;
    return true;
  }
  if (edit.to == "always") {
    instruction.guard = {};
    return true;
  }
  if (edit.to != "never" || instruction.operands.empty() ||
      instruction.operands[0].kind != OperandKind::label) {
    return false;
  }
  instruction.operands[0].target = static_cast<std::uint32_t>(at + 1);
  return true;
}

/// "1-2": these two operands exchanged.
bool exchange_operands(ptx::Instruction& instruction, std::string_view pair) {
  if (pair.size() != 3 || pair[0] < '1' || pair[2] < '1') return false;
  const auto a = static_cast<std::size_t>(pair[0] - '0');
  const auto b = static_cast<std::size_t>(pair[2] - '0');
  if (std::max(a, b) >= instruction.operands.size()) return false;
  std::swap(instruction.operands[a], instruction.operands[b]);
  return true;
}

}  // namespace

std::string spelling_of(const ptx::Operand& immediate) {
  switch (immediate.literal) {
    case Literal::integer:
      return fmt::format("{}", static_cast<std::int64_t>(immediate.bits));
    case Literal::f32_bits:
      return spelled(std::bit_cast<float>(static_cast<std::uint32_t>(immediate.bits)), "FLT");
    case Literal::f64_bits:
    case Literal::decimal_float:
      return spelled(std::bit_cast<double>(immediate.bits), "DBL");
  }
  return {};
}

std::uint32_t access_bytes(const ptx::Instruction& instruction) {
  const Description does = describe(instruction);
  const bool moves =
      does.effect == Effect::load || does.effect == Effect::store || does.effect == Effect::atomic;
  if (!moves || does.space == ptx::Space::param || does.space == ptx::Space::local) return 0;
  const std::uint32_t elements = instruction.has("v4") ? 4 : instruction.has("v2") ? 2 : 1;
  return elements * static_cast<std::uint32_t>(ptx::size_bytes(does.type));
}

bool stands_in(const EditableText& text, std::size_t i, std::string_view part,
               std::string_view from) {
  const ptx::Instruction& instruction = text.function().instructions[i];
  if (part == "word") return instruction.opcode == from || instruction.has(from);
  if (part == "guard") return instruction.guard.reg != ptx::kNoIndex;
  if (part == "order") return true;
  const auto number = operand_number(part);
  if (!number || *number >= instruction.operands.size()) return false;
  const ptx::Operand& operand = instruction.operands[*number];
  switch (operand.kind) {
    case OperandKind::immediate:
      return spelling_of(operand) == from;
    case OperandKind::special:
      return operand.text == from;
    case OperandKind::reg:
      return from == "value" || (!from.empty() && text.held_by(operand.reg) == from);
    case OperandKind::address:
      return from == "address" || fmt::format("{:+}", operand.offset) == from;
    default:
      return false;
  }
}

bool replace_part(const EditableText& text, std::size_t i, const CodeEdit& edit,
                  ptx::Function& function, std::vector<ptx::Instruction>& before) {
  ptx::Instruction& instruction = function.instructions[i];
  if (edit.part == "word") return replace_word(instruction, edit);
  if (edit.part == "guard") return replace_guard(instruction, i, edit);
  if (edit.part == "order") return exchange_operands(instruction, edit.to);
  ptx::Operand& operand = instruction.operands[operand_number(edit.part).value_or(0)];
  if (operand.kind == OperandKind::immediate) return set_constant(operand, edit.to);
  if (operand.kind == OperandKind::special) {
    const std::string_view to = word_of(edit.to);
    if (!to.empty()) operand.text = to;
    return !to.empty();
  }
  if (operand.kind == OperandKind::address) {
    const auto offset = integer(edit.to);
    if (!offset) return false;
    operand.offset = (edit.from == "address" ? operand.offset : 0) + *offset;
    return true;
  }
  const std::uint32_t old = operand.reg;
  auto value = computed(text, instruction, old, edit.to, function);
  if (!value) return false;
  operand.reg = value->operands[0].reg;
  before.push_back(std::move(*value));
  return true;
}

}  // namespace warpsim
