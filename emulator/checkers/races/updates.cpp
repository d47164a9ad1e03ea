#include "emulator/checkers/races/updates.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "emulator/isa/description.h"
#include "emulator/isa/same_operation.h"

namespace warpsim {

const ptx::Operand* access_address(const Program& program, std::uint32_t index) {
  const ptx::Instruction* source = program.source[index];
  if (source == nullptr) return nullptr;
  const Effect effect = describe(*source).effect;
  return effect == Effect::load || effect == Effect::store ? address_of(*source) : nullptr;
}

namespace {

/// Both operands name one place, as written.
bool is_same_place(const ptx::Operand* a, const ptx::Operand* b) {
  if (a == nullptr || b == nullptr || a->reg != b->reg || a->offset != b->offset) return false;
  return a->reg != ptx::kNoIndex || (!a->text.empty() && a->text == b->text);
}

}  // namespace

namespace {

/// What a value is made of, by the text of its function: instructions in any order.
class Ingredients {
 public:
  /// @param read  a load of the place whose address is written in another way; may be null
  explicit Ingredients(const RaceSite& store, const ptx::Instruction* read = nullptr)
      : function_(*store.program->function),
        to_(access_address(*store.program, store.inst->index)),
        read_(read),
        asked_(function_.registers.size(), false) {
    const ptx::Instruction& source = *store.program->source[store.inst->index];
    const ptx::Operand* const address = address_of(source);
    for (const ptx::Operand& operand : source.operands) {
      if (&operand != address) ask(operand);
    }
    while (!open_.empty()) {
      const std::uint32_t reg = open_.back();
      open_.pop_back();
      for (const ptx::Instruction& instruction : function_.instructions) {
        for (const std::uint32_t written : register_use(instruction).writes) {
          if (written == reg) look_at(instruction);
        }
      }
    }
  }

  [[nodiscard]] bool has_place() const { return has_place_; }
  [[nodiscard]] bool has_others() const { return has_others_; }
  [[nodiscard]] bool is_unknown() const { return is_unknown_; }

 private:
  /// Predicates decide which value it is; they are not part of it.
  void ask(const ptx::Operand& operand) {
    for (const ptx::Operand& element : operand.elements) ask(element);
    if (operand.reg == ptx::kNoIndex || asked_[operand.reg]) return;
    if (function_.registers[operand.reg].type == ptx::Type::pred) return;
    asked_[operand.reg] = true;
    open_.push_back(operand.reg);
  }

  void look_at(const ptx::Instruction& instruction) {
    const Description does = describe(instruction);
    switch (does.effect) {
      case Effect::load:
        if (does.space == ptx::Space::param) {
          is_unknown_ = is_unknown_ || !is_own_parameter(instruction);
        } else if (&instruction == read_ || is_same_place(address_of(instruction), to_)) {
          has_place_ = true;
        } else {
          has_others_ = true;
          is_unknown_ = is_unknown_ || does.space == ptx::Space::local;
        }
        return;
      case Effect::atomic:
        has_others_ = true;
        return;
      case Effect::collective:
        has_others_ = true;
        ask_all(does, instruction);
        return;
      case Effect::pure:
        ask_all(does, instruction);
        return;
      default:
        has_others_ = true;
        is_unknown_ = true;
    }
  }

  void ask_all(const Description& does, const ptx::Instruction& instruction) {
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      if (role_of(does, instruction, i) != OperandRole::written) ask(instruction.operands[i]);
    }
  }

  /// Not what a function that it called gave back.
  [[nodiscard]] bool is_own_parameter(const ptx::Instruction& instruction) const {
    const ptx::Operand* const address = address_of(instruction);
    return address != nullptr &&
           std::ranges::any_of(function_.parameters, [&](const ptx::Variable& parameter) {
             return parameter.name == address->text;
           });
  }

  const ptx::Function& function_;
  const ptx::Operand* to_;
  const ptx::Instruction* read_;
  std::vector<bool> asked_;  // by register
  std::vector<std::uint32_t> open_;
  bool has_place_ = false;  // what was in the place
  bool has_others_ = false;  // what other lanes, memory or a function gave
  bool is_unknown_ = false;  // what a function or local memory gave, of whatever
};

constexpr int kDeepest = 8;  // of expressions that are compared

/// Whether two operands have one value, as written: one register, or one expression.
class SameValue {
 public:
  explicit SameValue(const ptx::Function& function) : function_(function) {}

  [[nodiscard]] bool of(const ptx::Operand& a, const ptx::Operand& b, int depth = kDeepest) const {
    const bool is_named = a.reg == ptx::kNoIndex || a.kind == ptx::Operand::Kind::selected;
    if (a.kind != b.kind || a.offset != b.offset || a.negated != b.negated || a.bits != b.bits ||
        a.literal != b.literal || a.elements.size() != b.elements.size() ||
        (is_named && a.text != b.text)) {
      return false;
    }
    for (std::size_t i = 0; i < a.elements.size(); ++i) {
      if (!of(a.elements[i], b.elements[i], depth)) return false;
    }
    if (a.reg == b.reg) return true;
    if (a.reg == ptx::kNoIndex || b.reg == ptx::kNoIndex || depth == 0) return false;
    const ptx::Instruction* const first = only_write_of(a.reg);
    const ptx::Instruction* const second = only_write_of(b.reg);
    return first != nullptr && second != nullptr && of(*first, *second, depth - 1);
  }

 private:
  [[nodiscard]] bool of(const ptx::Instruction& a, const ptx::Instruction& b, int depth) const {
    const Description does = describe(a);
    if (does.effect != Effect::pure && does.effect != Effect::load) return false;
    if (!is_same_operation(a, b) || a.guard.reg != b.guard.reg ||
        a.guard.negated != b.guard.negated || a.operands.size() != b.operands.size()) {
      return false;
    }
    for (std::size_t i = 0; i < a.operands.size(); ++i) {
      if (role_of(does, a, i) == OperandRole::written) continue;
      if (!of(a.operands[i], b.operands[i], depth)) return false;
    }
    return true;
  }

  [[nodiscard]] const ptx::Instruction* only_write_of(std::uint32_t reg) const {
    const ptx::Instruction* found = nullptr;
    for (const ptx::Instruction& instruction : function_.instructions) {
      if (std::ranges::count(register_use(instruction).writes, reg) == 0) continue;
      if (found != nullptr) return nullptr;
      found = &instruction;
    }
    return found;
  }

  const ptx::Function& function_;
};

/// What depends on a place's old value before a store, by the text of the function.
class OldValue {
 public:
  /// @param loads  of the place
  OldValue(const ptx::Function& function, const std::vector<const ptx::Instruction*>& loads)
      : function_(function), depends_(function.registers.size(), false) {
    for (const ptx::Instruction* load : loads) mark(*load);
    for (bool grown = true; grown;) {
      grown = false;
      for (const ptx::Instruction& instruction : function.instructions) {
        const Effect effect = describe(instruction).effect;
        if (effect != Effect::pure && effect != Effect::collective) continue;
        if (std::ranges::any_of(register_use(instruction).reads,
                                [&](std::uint32_t reg) { return depends_[reg]; })) {
          grown = mark(instruction) || grown;
        }
      }
    }
  }

  /// Whether it decides that an instruction is executed: its guard, or a branch before it does.
  [[nodiscard]] bool decides(const ptx::Instruction* first, const ptx::Instruction& store) const {
    for (const ptx::Instruction* one = first; one <= &store; ++one) {
      const bool counts = one == &store || describe(*one).effect == Effect::branch;
      if (counts && one->guard.reg != ptx::kNoIndex && depends_[one->guard.reg]) return true;
    }
    return false;
  }

  /// Whether it is compared with a value.
  [[nodiscard]] bool is_compared_with(const ptx::Operand& value) const {
    const SameValue same(function_);
    const auto depends = [&](const ptx::Operand& operand) {
      return operand.reg != ptx::kNoIndex && depends_[operand.reg];
    };
    return std::ranges::any_of(function_.instructions, [&](const ptx::Instruction& instruction) {
      if (!describe(instruction).compares || instruction.operands.size() < 3) return false;
      const ptx::Operand& a = instruction.operands[1];
      const ptx::Operand& b = instruction.operands[2];
      return (depends(a) && same.of(b, value)) || (depends(b) && same.of(a, value));
    });
  }

 private:
  bool mark(const ptx::Instruction& instruction) {
    bool grown = false;
    for (const std::uint32_t reg : register_use(instruction).writes) {
      grown = grown || !depends_[reg];
      depends_[reg] = true;
    }
    return grown;
  }

  const ptx::Function& function_;
  std::vector<bool> depends_;  // by register
};

/// What a store of one value writes; null for a vector.
const ptx::Operand* value_of(const ptx::Instruction& store) {
  const ptx::Operand* const address = address_of(store);
  for (const ptx::Operand& operand : store.operands) {
    if (&operand != address && operand.elements.empty()) return &operand;
  }
  return nullptr;
}

}  // namespace

UpdateForm update_form(const RaceSite& site) {
  const Program& program = *site.program;
  const ptx::Operand* const to = access_address(program, site.inst->index);
  if (to == nullptr || to->reg == ptx::kNoIndex) return UpdateForm::none;
  std::vector<const ptx::Instruction*> loads;
  for (std::uint32_t i = 0; i < site.inst->index; ++i) {
    const ptx::Operand* const from = access_address(program, i);
    if (from == nullptr || describe(*program.source[i]).effect != Effect::load) continue;
    if (is_same_place(from, to)) loads.push_back(program.source[i]);
  }
  if (loads.empty()) return UpdateForm::none;
  const Ingredients value(site);
  if (value.has_place() || value.is_unknown()) return UpdateForm::computed;
  const ptx::Instruction& store = *program.source[site.inst->index];
  const OldValue old(*program.function, loads);
  if (!old.decides(loads.front(), store)) return UpdateForm::none;
  const ptx::Operand* const stored = value_of(store);
  return stored != nullptr && old.is_compared_with(*stored) ? UpdateForm::limit
                                                            : UpdateForm::tested;
}

bool loses_own_updates(const RaceSite& store, const RaceSite& read) {
  if (store.program->source[store.inst->index] == nullptr) return false;
  const Ingredients value(
      store, read.program == store.program ? read.program->source[read.inst->index] : nullptr);
  return value.has_place() && !value.has_others();
}

}  // namespace warpsim
