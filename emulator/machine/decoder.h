#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "emulator/isa/row.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/liveness.h"

namespace warpsim {

/// Decodes one function: assigns register slots and frame offsets and binds each instruction to
/// its handler through the instruction table.
class Decoder final : public Slots {
 public:
  Decoder(Linker& linker, Kernel& kernel, FunctionRef& ref, Program& program);
  /// Fills the program. Instructions that the table does not know become a handler that reports
  /// them when they are reached.
  void decode();

  // -- for Binder (isa/slots.h) ------------------------------------------------------------------
  [[nodiscard]] std::int32_t register_slot(std::uint32_t reg) override;
  [[nodiscard]] ptx::Type register_type(std::uint32_t reg) const override;
  std::int32_t constant_slot(std::uint64_t bits, std::size_t bytes) override;
  std::int32_t special_slot(std::string_view name, std::size_t bytes) override;
  std::int32_t symbol_slot(const ptx::Operand& operand, std::size_t bytes) override;
  std::int32_t carry_slot() override;
  std::int32_t allocate(std::size_t bytes) override;
  std::int32_t frame_slot(FrameValue value, std::size_t bytes, std::uint64_t operand = 0);

  // -- for bind functions (decoder_of) -----------------------------------------------------------
  struct Place {
    enum class Kind { none, shared, global, local, kernel_parameter } kind = Kind::none;
    std::uint64_t address = 0;  // shared offset, device address, frame offset, parameter offset
    std::uint64_t bytes = 0;
  };
  /// Where a symbol lives.
  [[nodiscard]] Place place(const ptx::Operand& operand) const;
  /// Makes `inst.target` of the instruction being bound point at a label's instruction.
  void target(std::uint32_t ptx_index);
  void access(AccessKind kind) { access_ = kind; }
  void control() { is_control_ = true; }
  /// The instruction being bound only moves `inst.a` to `inst.d`, both of one width. Where the
  /// source never changes while the frame lives, the register becomes a name for it.
  void copy() { is_copy_ = true; }
  /// True when no instruction reads a destination, or any element of a vector.
  [[nodiscard]] bool result_is_dead(const ptx::Operand& destination) const;
  [[nodiscard]] Program& program() { return program_; }
  [[nodiscard]] const ptx::Function& function() const { return function_; }
  [[nodiscard]] Linker& linker() { return linker_; }
  [[nodiscard]] const LoadedModule& module() const { return *ref_.module; }
  [[nodiscard]] Kernel& kernel() { return kernel_; }
  /// Emits an instruction before the one being bound.
  void emit_before(const Inst& inst) { before_.push_back(inst); }

 private:
  void assign_locals();
  void fill_frame_image();
  void decode_one(const ptx::Instruction& instruction);
  void append(Inst inst, const ptx::Instruction* source);
  void fix_targets();
  void count_uses();
  void find_labels();
  std::int32_t shared_slot(const LiveRange& range, std::size_t bytes);
  bool is_only_write(const ptx::Instruction& instruction) const;
  bool is_propagated_copy(const ptx::Instruction& instruction, const Inst& inst);
  bool is_done_ahead(const ptx::Instruction& instruction, Inst inst);
  void differs_by_warp(std::int32_t slot, std::size_t bytes);
  /// A place that was just allocated is the same in every block, or for all lanes.
  void lasts_for_launch(std::int32_t slot, std::size_t bytes);
  void keep_uniform(std::int32_t slot, std::size_t bytes);
  void carry_skipped(std::uint32_t count);

  Linker& linker_;
  Kernel& kernel_;
  FunctionRef& ref_;
  const ptx::Function& function_;
  Program& program_;
  std::vector<std::int32_t> slots_;  // -1: not seen yet
  /// A place for registers of one size, and the last instruction that needs what is in it.
  struct SharedSlot {
    std::int32_t slot;
    std::size_t bytes;
    std::uint32_t busy_until;
  };
  std::vector<SharedSlot> shared_slots_;
  RegisterDemand demand_;
  std::vector<std::uint32_t> first_seen_;  // PTX instruction that first names the register
  std::vector<std::uint32_t> writes_;  // instructions that write each register
  std::vector<std::uint32_t> uses_;  // reads of each register
  std::vector<bool> is_label_;  // PTX instructions that a branch may go to
  std::unordered_set<std::int32_t> fixed_slots_;  // of values that a frame keeps
  std::unordered_set<std::int32_t> launch_slots_;  // those that are the same in every block
  std::unordered_set<std::int32_t> warp_slots_;  // of launch_slots_: those that differ by warp
  std::size_t ahead_bytes_ = 0;  // of a frame, for what is_done_ahead keeps
  std::uint32_t ptx_index_ = 0;  // of the instruction being bound
  std::uint32_t skipped_ = 0;  // instructions since the last one in the code that need none
  std::uint32_t skipped_to_ahead_ = 0;  // the first of them, up to the last that is done ahead
  std::vector<std::uint32_t> variable_offset_;  // function-local variables, in the local frame
  std::size_t frame_bytes_ = 0;
  std::size_t predicate_used_ = 64, predicate_line_ = 0;
  std::map<std::pair<std::uint64_t, std::size_t>, std::int32_t> constants_;
  std::vector<std::pair<std::int32_t, std::pair<std::uint64_t, std::size_t>>> constant_list_;
  std::map<std::pair<std::pair<int, std::size_t>, std::uint64_t>, std::int32_t> frame_values_;
  std::int32_t carry_ = -1;
  std::vector<std::uint32_t> first_code_;  // ptx index -> code index
  struct Fix {
    std::size_t code;
    std::uint32_t ptx_index;
  };
  std::vector<Fix> fixes_;
  std::vector<std::pair<BranchTable*, std::vector<std::uint32_t>>> table_fixes_;
  std::vector<Inst> before_;
  std::uint32_t pending_target_ = ptx::kNoIndex;
  BranchTable* pending_table_ = nullptr;
  std::vector<std::uint32_t> pending_table_targets_;
  AccessKind access_ = AccessKind::none;
  bool is_control_ = false;
  bool is_copy_ = false;

 public:
  /// Makes the branch table of the instruction being bound; null when no label of the function has
  /// that name, or it lists no targets.
  BranchTable* branch_table(std::string_view label);
};

/// The decoder that an instruction is bound for.
[[nodiscard]] inline Decoder& decoder_of(const Binder& binder) {
  return static_cast<Decoder&>(binder.slots());
}

/// Handlers that the machine itself installs.
const Inst* run_guarded(Warp& warp, const Inst& in);
const Inst* run_unsupported(Warp& warp, const Inst& in);
const Inst* run_nothing(Warp& warp, const Inst& in);
const Inst* read_clock(Warp& warp, const Inst& in);

}  // namespace warpsim
