#include "emulator/machine/decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "emulator/machine/address.h"
#include "emulator/machine/context.h"
#include "emulator/machine/group_registers.h"
#include "emulator/machine/masks.h"
#include "emulator/machine/warp_sync.h"

namespace warpsim {
namespace {

std::string form_of(const ptx::Instruction& instruction) {
  std::string text(instruction.opcode);
  for (const auto modifier : instruction.modifiers) {
    text += '.';
    text += modifier;
  }
  return text;
}

}  // namespace

Decoder::Decoder(Linker& linker, Kernel& kernel, FunctionRef& ref, Program& program)
    : linker_(linker), kernel_(kernel), ref_(ref), function_(*ref.function), program_(program) {}

void Decoder::target(std::uint32_t ptx_index) {
  pending_target_ = ptx_index;
}

BranchTable* Decoder::branch_table(std::string_view label) {
  const auto it = function_.branch_tables.find(label);
  if (it == function_.branch_tables.end() || it->second.empty()) return nullptr;
  program_.tables.push_back(std::make_unique<BranchTable>());
  pending_table_ = program_.tables.back().get();
  pending_table_targets_ = it->second;
  return pending_table_;
}

void Decoder::count_uses() {
  uses_.assign(function_.registers.size(), 0);
  const auto count = [&](const auto& self, const ptx::Operand& operand) -> void {
    if (operand.reg != ptx::kNoIndex && operand.kind != ptx::Operand::Kind::label) {
      ++uses_[operand.reg];
    }
    for (const auto& element : operand.elements) self(self, element);
  };
  writes_.assign(function_.registers.size(), 0);
  for (const auto& instruction : function_.instructions) {
    for (const auto& operand : instruction.operands) count(count, operand);
    if (instruction.guard.reg != ptx::kNoIndex) ++uses_[instruction.guard.reg];
  }
  for (const RegisterUse& use : demand_.uses) {
    for (const std::uint32_t reg : use.writes) ++writes_[reg];
  }
}

void Decoder::find_labels() {
  is_label_.assign(function_.instructions.size() + 1, false);
  for (const auto& instruction : function_.instructions) {
    for (const auto& operand : instruction.operands) {
      if (operand.kind == ptx::Operand::Kind::label) is_label_[operand.target] = true;
    }
  }
  for (const auto& [name, targets] : function_.branch_tables) {
    for (const std::uint32_t target : targets) is_label_[target] = true;
  }
}

bool Decoder::result_is_dead(const ptx::Operand& destination) const {
  if (destination.kind == ptx::Operand::Kind::sink) return true;
  if (destination.kind == ptx::Operand::Kind::vector) {
    return std::all_of(destination.elements.begin(), destination.elements.end(),
                       [this](const ptx::Operand& element) { return result_is_dead(element); });
  }
  return destination.kind == ptx::Operand::Kind::reg && uses_[destination.reg] == 1;
}

void Decoder::append(Inst inst, const ptx::Instruction* source) {
  inst.index = static_cast<std::uint32_t>(program_.source.size());
  inst.covers = std::exchange(skipped_, 0);
  skipped_to_ahead_ = 0;
  program_.code.push_back(inst);
  program_.source.push_back(source);
  program_.access.push_back(access_);
}

/// Instructions skipped before a label need one of their own to be counted with, as lanes that
/// jump to the label have not passed them.
/// @param count  of those that were skipped, the first ones
void Decoder::carry_skipped(std::uint32_t count) {
  if (count == 0) return;
  skipped_ -= count;
  skipped_to_ahead_ = 0;
  Inst carrier;
  carrier.run = run_nothing;
  carrier.index = static_cast<std::uint32_t>(program_.source.size() - 1) - skipped_;
  carrier.covers = count - 1;
  program_.code.push_back(carrier);
}

void Decoder::decode_one(const ptx::Instruction& instruction) {
  before_.clear();
  const std::span<const Row* const> rows = rows_named(instruction.opcode);
  std::string reason = rows.empty() ? "the instruction table has no such opcode" : "";
  Inst bound;
  bool found = false;
  for (const Row* row : rows) {
    access_ = AccessKind::none;
    is_control_ = false;
    is_copy_ = false;
    pending_target_ = ptx::kNoIndex;
    pending_table_ = nullptr;
    before_.clear();
    Binder binder(*this, instruction);
    try {
      if (row->bind != nullptr) row->bind(binder);
      if (!row->unsupported.empty()) {
        reason = row->unsupported;
        continue;
      }
      binder.finish();
      bound = binder.inst;
      found = true;
      break;
    } catch (const UnsupportedForm& form) {
      // Rows for other types refuse the type; the row whose type it is has more to say.
      if (!form.reason.empty() && (reason.empty() || !form.is_type)) reason = form.reason;
    }
  }
  if (!found) {
    access_ = AccessKind::none;
    is_control_ = true;
    is_copy_ = false;
    pending_target_ = ptx::kNoIndex;
    pending_table_ = nullptr;
    before_.clear();
    program_.messages.push_back(std::make_unique<std::string>(
        fmt::format("{}{}{}", form_of(instruction), reason.empty() ? "" : ": ", reason)));
    bound = Inst{};
    bound.run = run_unsupported;
    bound.extra = program_.messages.back().get();
  }
  const bool is_copy = is_propagated_copy(instruction, bound);
  if (is_copy || is_done_ahead(instruction, bound)) {
    ++skipped_;
    if (!is_copy) skipped_to_ahead_ = skipped_;
    program_.source.push_back(&instruction);
    program_.access.push_back(AccessKind::none);
    return;
  }
  const Description does = describe(instruction);
  // Lanes that come together under a partial guard need a split of their own.
  if (is_control_ || does.convergence != Convergence::none) bound.flags |= kControl;
  if (does.asynchronous) program_.asynchronous = true;
  if (does.accumulates) program_.group_registers = std::make_shared<const GroupRegisters>();
  // Lanes may come to such an instruction in splits, and then execute it again together or apart;
  // what was done ahead is counted with the split that came.
  const bool once = pending_target_ != ptx::kNoIndex ||
                    (bound.run == wait_for_block && instruction.guard.reg == ptx::kNoIndex);
  if ((bound.flags & kControl) != 0 && !once) carry_skipped(skipped_to_ahead_);
  for (const Inst& inst : before_) {
    const AccessKind kind = std::exchange(access_, AccessKind::none);
    append(inst, &instruction);
    access_ = kind;
  }
  if (does.members >= 0 && mask_is_active_mask(*ref_.module, function_, instruction)) {
    bound.flags |= kActiveMaskDerived;
  }
  if (instruction.guard.reg != ptx::kNoIndex) {
    bound.guard = register_slot(instruction.guard.reg);
    if (instruction.guard.negated) bound.flags |= kGuardNegated;
    // Branches read their own guard; everything else runs through run_guarded.
    if (pending_target_ == ptx::kNoIndex) {
      bound.guarded = bound.run;
      bound.run = run_guarded;
    }
  }
  if (pending_target_ != ptx::kNoIndex) fixes_.push_back({program_.code.size(), pending_target_});
  if (pending_table_ != nullptr) {
    table_fixes_.emplace_back(pending_table_, std::move(pending_table_targets_));
  }
  append(bound, &instruction);
}

void Decoder::fix_targets() {
  const auto at = [&](std::uint32_t ptx_index) -> const Inst* {
    return &program_.code[first_code_[ptx_index]];
  };
  for (const Fix& fix : fixes_) {
    Inst& branch = program_.code[fix.code];
    branch.target = at(fix.ptx_index);
    const bool forward = branch.target > &branch;
    if (forward && branch.guard >= 0 && branch.target->run == wait_for_block) {
      branch.flags |= kToBarrier;
    }
  }
  for (auto& [table, targets] : table_fixes_) {
    for (const std::uint32_t target : targets) table->targets.push_back(at(target));
  }
}

void Decoder::decode() {
  program_.module = ref_.module;
  program_.function = &function_;
  program_.kernel = &kernel_;
  demand_ = register_demand(function_);
  program_.reads_unset_registers = demand_.reads_unset;
  slots_.assign(function_.registers.size(), -1);
  first_seen_.assign(function_.registers.size(), ptx::kNoIndex);
  assign_locals();
  count_uses();
  find_labels();
  for (const auto& instruction : function_.instructions) {
    if (is_label_[ptx_index_]) carry_skipped(skipped_);
    first_code_.push_back(static_cast<std::uint32_t>(program_.code.size()));
    decode_one(instruction);
    ++ptx_index_;
  }
  if (is_label_[ptx_index_]) carry_skipped(skipped_);
  first_code_.push_back(static_cast<std::uint32_t>(program_.code.size()));
  decode_one(make_return());
  program_.source.back() = nullptr;
  program_.atomic_costs = atomic_costs(program_);
  fix_targets();
  program_.register_slots = slots_;
  if (program_.group_registers != nullptr) watch_group_registers(program_);

  fill_frame_image();
}

}  // namespace warpsim
