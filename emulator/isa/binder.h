#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "emulator/isa/inst.h"
#include "emulator/isa/slots.h"
#include "emulator/ptx/module.h"

namespace warpsim {

/// Thrown while decoding a form that the table does not know. The machine turns it into an error
/// with the .cu line, the PTX line and the page that says how to add an instruction.
struct UnsupportedForm {
  std::string reason;  // "modifier '.foo'", "type .f8"; may be empty
  bool is_type = false;  // the type is what is not known: another row may have it
};

/// Turns one parsed instruction into a decoded one. A row's bind function takes the modifiers it
/// knows (each at most once), asks for operand slots and sets `inst.run`. Modifiers that are not
/// taken make the form unsupported, so an unknown one can never be ignored by mistake.
class Binder {
 public:
  Inst inst;

  // -- modifiers; the dotted list is a set, order does not matter except among types ------------
  /// Consumes the modifier and returns true when the instruction has it.
  bool take(std::string_view modifier);
  /// Consumes whichever of the modifiers is present and returns its position in the list, or -1.
  int take_one_of(std::initializer_list<std::string_view> modifiers);
  /// Consumes the next type modifier; Type::none when there is none left.
  ptx::Type take_type();
  /// The type that take_type would give next, without consuming it.
  [[nodiscard]] ptx::Type peek_type() const;
  /// Consumes the state space (global, shared, shared::cta, local, param, const, ...) or generic.
  ptx::Space take_space();
  /// Throws UnsupportedForm.
  [[noreturn]] void unsupported(std::string_view reason = {}) const;

  // -- operands ---------------------------------------------------------------------------------
  [[nodiscard]] std::size_t operand_count() const;
  [[nodiscard]] const ptx::Operand& operand(std::size_t i) const;
  /// Slot to write operand `i`: a register, the first of a pair, or a scratch slot for `_`.
  std::int32_t dst(std::size_t i);
  /// As dst, for an element of a vector operand.
  std::int32_t dst(const ptx::Operand& operand) { return destination(operand, false); }
  /// As dst, of a predicate. Neither takes the other's registers.
  std::int32_t dst_pred(std::size_t i);
  /// Slot of the second destination of a pair (p|q), a predicate; -1 when the operand is not a
  /// pair.
  std::int32_t dst_pair(std::size_t i);
  /// Slot to read operand `i` as a value of `type`: a register; an immediate, converted to the
  /// type and splatted into a constant slot (for pred: a constant mask); a symbol's address; or a
  /// special register. 8-bit types are read from 16-bit slots when the register is 16 bits wide.
  std::int32_t src(std::size_t i, ptx::Type type);
  /// As src, for an element of a vector or pair operand.
  std::int32_t src(const ptx::Operand& operand, ptx::Type type);
  /// A predicate source and whether it is negated (setp's c, selp's p); the slot holds the mask
  /// as if not negated.
  std::int32_t src_pred(std::size_t i, bool& negated);
  /// Slot of a register that holds a value, such as an address's base.
  std::int32_t value_slot(std::uint32_t reg);
  /// Declared type of the register operand `i` (or element); Type::none when it is not a register.
  /// ld, st and cvt may use registers wider than the instruction's type.
  [[nodiscard]] ptx::Type register_type(const ptx::Operand& operand) const;
  /// The immediate's integer value when operand `i` is one.
  bool immediate(std::size_t i, std::uint64_t& bits) const;
  /// The frame's carry flags (add.cc, addc, madc, ...): a 32-bit lane mask, like a predicate.
  std::int32_t carry_slot();
  /// A fresh slot of `bytes` (64-byte aligned) that lives as long as the frame.
  std::int32_t scratch(std::size_t bytes);

  [[nodiscard]] const ptx::Instruction& source() const { return *source_; }
  [[nodiscard]] Slots& slots() const { return *slots_; }

  Binder(Slots& slots, const ptx::Instruction& source) : slots_(&slots), source_(&source) {}
  /// Throws UnsupportedForm when a modifier was not taken.
  void finish() const;

 private:
  std::int32_t slot_of(std::uint32_t reg, bool as_predicate);
  std::int32_t destination(const ptx::Operand& operand, bool predicate);
  std::int32_t first_destination(std::size_t i, bool predicate);
  Slots* slots_;
  const ptx::Instruction* source_;
  std::uint64_t taken_ = 0;  // bit i: modifier i was consumed
};

}  // namespace warpsim
