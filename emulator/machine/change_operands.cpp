#include "emulator/machine/change_operands.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/isa/description.h"
#include "emulator/machine/change_code.h"

namespace warpsim {
namespace {

using Names = std::pair<std::string_view, std::string_view>;

constexpr Names kAxes[] = {
    {"tid.x", "tid.y"}, {"ntid.x", "ntid.y"}, {"ctaid.x", "ctaid.y"}, {"nctaid.x", "nctaid.y"}};
constexpr Names kThreadAndBlock[] = {
    {"tid.x", "ctaid.x"}, {"tid.y", "ctaid.y"}, {"tid.z", "ctaid.z"}};

std::string_view exchanged(std::string_view special, std::span<const Names> pairs) {
  for (const auto& [one, other] : pairs) {
    if (special == one) return other;
    if (special == other) return one;
  }
  return {};
}

std::uint64_t exchange_specials(std::vector<ptx::Operand>& operands, std::span<const Names> pairs) {
  std::uint64_t count = 0;
  for (ptx::Operand& operand : operands) {
    if (operand.kind == ptx::Operand::Kind::special) {
      if (const std::string_view other = exchanged(operand.text, pairs); !other.empty()) {
        operand.text = other;
        ++count;
      }
    }
    count += exchange_specials(operand.elements, pairs);
  }
  return count;
}

std::uint64_t exchange_specials(ptx::Function& function, std::span<const Names> pairs) {
  std::uint64_t count = 0;
  for (ptx::Instruction& instruction : function.instructions) {
    count += exchange_specials(instruction.operands, pairs);
  }
  return count;
}

// -- row lengths ----------------------------------------------------------------------------------

bool is_whole_number(ptx::Type type) {
  using ptx::Type;
  return type == Type::u32 || type == Type::s32 || type == Type::b32;
}

bool is_register(const ptx::Operand& operand) {
  return operand.kind == ptx::Operand::Kind::reg;
}

/// How many of the operands after the result are factors of a product of whole numbers. A sum of
/// two registers counts as one: in loops, the compiler makes k * length a sum.
std::size_t factors_of(const ptx::Instruction& instruction) {
  switch (describe(instruction).index) {
    case IndexArithmetic::sum:
      return instruction.operands.size() == 3 && is_register(instruction.operands[1]) &&
                     is_register(instruction.operands[2])
                 ? 2
                 : 0;
    case IndexArithmetic::product:
    case IndexArithmetic::wider_product:
    case IndexArithmetic::product_and_sum:
    case IndexArithmetic::wider_product_and_sum:
      return 2;
    case IndexArithmetic::shifted:
      return 1;
    default:
      return 0;
  }
}

/// Loads a whole parameter.
bool loads(const ptx::Instruction& instruction, std::string_view parameter) {
  if (instruction.operands.size() != 2 || instruction.operands[1].text != parameter ||
      instruction.operands[1].offset != 0 || !is_register(instruction.operands[0])) {
    return false;
  }
  const Description does = describe(instruction);
  return does.effect == Effect::load && does.space == ptx::Space::param;
}

/// Copies or widens one register into another, whatever the thread.
bool copies(const ptx::Instruction& instruction) {
  if (instruction.operands.size() != 2 || instruction.guard.reg != ptx::kNoIndex ||
      !is_register(instruction.operands[0]) || !is_register(instruction.operands[1])) {
    return false;
  }
  const Description does = describe(instruction);
  return does.copies || does.index == IndexArithmetic::converted;
}

void shift_labels(std::vector<ptx::Operand>& operands, std::uint32_t by) {
  for (ptx::Operand& operand : operands) {
    if (operand.kind == ptx::Operand::Kind::label && operand.target != ptx::kNoIndex) {
      operand.target += by;
    }
    shift_labels(operand.elements, by);
  }
}

void put_in_front(ptx::Function& function, std::vector<ptx::Instruction> added) {
  const auto by = static_cast<std::uint32_t>(added.size());
  for (ptx::Instruction& instruction : function.instructions) {
    shift_labels(instruction.operands, by);
  }
  for (auto& [name, targets] : function.branch_tables) {
    for (std::uint32_t& target : targets) target += by;
  }
  function.instructions.insert(function.instructions.begin(),
                               std::make_move_iterator(added.begin()),
                               std::make_move_iterator(added.end()));
}

/// How often each register is written: one that is written twice may hold something else.
std::vector<std::uint32_t> writes_of(const ptx::Function& function) {
  std::vector<std::uint32_t> writes(function.registers.size(), 0);
  for (const ptx::Instruction& instruction : function.instructions) {
    for (const std::uint32_t reg : register_use(instruction).writes) ++writes[reg];
  }
  return writes;
}

/// Registers that hold a parameter, or a copy of it, get a counterpart that holds another one; it
/// takes their place as factors. Everything else, such as comparisons, stays as it is.
std::uint64_t multiply_by_other(ptx::Function& function, std::uint32_t parameter,
                                std::uint32_t other) {
  if (std::max(parameter, other) >= function.parameters.size()) return 0;
  const ptx::Variable& from = function.parameters[parameter];
  const ptx::Variable& to = function.parameters[other];
  if (!is_whole_number(from.type) || !is_whole_number(to.type)) return 0;
  const std::vector<std::uint32_t> writes = writes_of(function);
  std::map<std::uint32_t, std::uint32_t> counterparts;
  std::vector<ptx::Instruction> added;
  const auto add = [&](const ptx::Instruction& original, const ptx::Operand& source) {
    const std::uint32_t reg = original.operands[0].reg;
    if (writes[reg] != 1) return;
    const auto own = static_cast<std::uint32_t>(function.registers.size());
    function.registers.push_back({"%other_length", function.registers[reg].type});
    counterparts[reg] = own;
    ptx::Instruction copy = original;
    copy.operands[0].reg = own;
    copy.operands[1] = source;
    added.push_back(std::move(copy));
  };
  std::uint64_t count = 0;
  for (ptx::Instruction& instruction : function.instructions) {
    if (loads(instruction, from.name) && instruction.guard.reg == ptx::kNoIndex) {
      ptx::Operand source = instruction.operands[1];
      source.text = to.name;
      add(instruction, source);
    } else if (copies(instruction) && counterparts.contains(instruction.operands[1].reg)) {
      ptx::Operand source = instruction.operands[1];
      source.reg = counterparts[source.reg];
      add(instruction, source);
    } else {
      const std::size_t end = factors_of(instruction) + 1;
      for (std::size_t i = 1; i < std::min(end, instruction.operands.size()); ++i) {
        ptx::Operand& factor = instruction.operands[i];
        const auto it = is_register(factor) ? counterparts.find(factor.reg) : counterparts.end();
        if (it == counterparts.end()) continue;
        factor.reg = it->second;
        ++count;
      }
    }
  }
  put_in_front(function, std::move(added));
  return count;
}

// -- exchanged operands ---------------------------------------------------------------------------

/// Registers that hold a whole parameter, or a copy of it.
std::set<std::uint32_t> lengths_of(const ptx::Function& function) {
  const std::vector<std::uint32_t> writes = writes_of(function);
  std::set<std::uint32_t> lengths;
  for (const ptx::Instruction& instruction : function.instructions) {
    const bool whole =
        std::ranges::any_of(function.parameters, [&](const ptx::Variable& parameter) {
          return is_whole_number(parameter.type) && loads(instruction, parameter.name);
        });
    const bool copied = copies(instruction) && lengths.contains(instruction.operands[1].reg);
    if ((whole || copied) && writes[instruction.operands[0].reg] == 1) {
      lengths.insert(instruction.operands[0].reg);
    }
  }
  return lengths;
}

std::uint64_t exchange_operands(const LoadedModule& module, ptx::Function& function,
                                const Change& change) {
  const std::set<std::uint32_t> lengths = lengths_of(function);
  const std::vector<bool> is_of_line = of_lines(module, function, change);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < function.instructions.size(); ++i) {
    ptx::Instruction& sum = function.instructions[i];
    if (!is_of_line[i] || sum.operands.size() != 4 ||
        describe(sum).index != IndexArithmetic::product_and_sum) {
      continue;
    }
    const auto is_length = [&](const ptx::Operand& operand) {
      return is_register(operand) && lengths.contains(operand.reg);
    };
    if (is_length(sum.operands[1]) == is_length(sum.operands[2])) continue;
    std::swap(sum.operands[is_length(sum.operands[1]) ? 2 : 1], sum.operands[3]);
    ++count;
  }
  return count;
}

// -- signs ----------------------------------------------------------------------------------------

std::uint64_t read_unsigned(ptx::Function& function) {
  std::uint64_t count = 0;
  for (ptx::Instruction& instruction : function.instructions) {
    const Description does = describe(instruction);
    if (does.effect != Effect::load && does.index != IndexArithmetic::converted) continue;
    const auto type = std::ranges::find(instruction.modifiers, std::string_view("s8"));
    if (type == instruction.modifiers.end()) continue;
    *type = "u8";
    ++count;
  }
  return count;
}

}  // namespace

void change_operands(LoadedModule& module, const Change& change, Changes& changes) {
  for (ptx::Function& function : module.ptx.functions) {
    // A change of lines has the name of a file.
    if (change.first_line == 0 && !change.is_about_function(function.name)) continue;
    std::uint64_t count = 0;
    if (change.kind == Change::Kind::exchange_index) count = exchange_specials(function, kAxes);
    if (change.kind == Change::Kind::exchange_thread)
      count = exchange_specials(function, kThreadAndBlock);
    if (change.kind == Change::Kind::unsigned_bytes) count = read_unsigned(function);
    if (change.kind == Change::Kind::exchange_operands) {
      count = exchange_operands(module, function, change);
    }
    if (change.kind == Change::Kind::row_length && function.is_entry) {
      count = multiply_by_other(function, change.parameter, change.other);
    }
    if (count != 0) changes.made(change, count);
  }
}

}  // namespace warpsim
