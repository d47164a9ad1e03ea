#include "emulator/checkers/races/updates.h"

#include <vector>

#include "emulator/isa/description.h"

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

bool updates_in_place(const RaceSite& site) {
  const Program& program = *site.program;
  const std::uint32_t store = site.inst->index;
  const ptx::Operand* to = access_address(program, store);
  if (to == nullptr || to->reg == ptx::kNoIndex) return false;
  for (std::uint32_t i = 0; i < store; ++i) {
    const ptx::Operand* from = access_address(program, i);
    if (from == nullptr || describe(*program.source[i]).effect != Effect::load) continue;
    if (from->reg == to->reg && from->offset == to->offset) return true;
  }
  return false;
}

namespace {

/// What a value is made of, by the text of its function: instructions in any order.
class Ingredients {
 public:
  Ingredients(const RaceSite& store, const RaceSite& read)
      : function_(*store.program->function),
        to_(access_address(*store.program, store.inst->index)),
        read_(read.program == store.program ? read.program->source[read.inst->index] : nullptr),
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
        if (does.space == ptx::Space::param) return;
        if (&instruction == read_ || is_same_place(address_of(instruction), to_)) {
          has_place_ = true;
        } else {
          has_others_ = true;
        }
        return;
      case Effect::pure:
        for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
          if (role_of(does, instruction, i) != OperandRole::written) ask(instruction.operands[i]);
        }
        return;
      default:
        has_others_ = true;
    }
  }

  const ptx::Function& function_;
  const ptx::Operand* to_;
  const ptx::Instruction* read_;
  std::vector<bool> asked_;  // by register
  std::vector<std::uint32_t> open_;
  bool has_place_ = false;  // what was in the place
  bool has_others_ = false;  // what other lanes, memory or a function gave
};

}  // namespace

bool loses_own_updates(const RaceSite& store, const RaceSite& read) {
  if (store.program->source[store.inst->index] == nullptr) return false;
  const Ingredients value(store, read);
  return value.has_place() && !value.has_others();
}

}  // namespace warpsim
