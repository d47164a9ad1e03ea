#pragma once

#include <cstdint>
#include <span>

#include "emulator/isa/inst.h"

namespace warpsim {

/// What a handler does, for those that have an emitter of host instructions (emulator/native).
enum class NativeOp : std::uint8_t {
  none,
  move,
  add,
  subtract,
  multiply,  // the low half
  multiply_add,  // likewise
  multiply_wide,
  multiply_add_wide,
  minimum,
  maximum,
  bit_and,
  bit_or,
  bit_xor,
  bit_not,
  lookup,  // lop3, whose table is Inst::imm
  shift_left,
  shift_right,
  select,
  widen,  // 32 to 64 bits
  narrow,  // 64 to 32 bits
  add_constant,  // Inst::imm
  compare,
  compare_constant,  // with Inst::imm
  fused_multiply_add,
  predicate_and,
  predicate_or,
  predicate_xor,
  predicate_not,
  predicate_move,
  branch,  // with a guard
  load_global,
  store_global,
  load_shared,
  store_shared,
};

/// What the operands are: for conversions and wide products the sources, for accesses an element
/// and the registers.
enum class NativeType : std::uint8_t { u32, s32, u64, s64, f32 };

/// A handler and what it does. The handler is the key: an instruction whose handler is replaced, by
/// an experiment for example, has no form.
struct NativeForm {
  Handler handler = nullptr;
  NativeOp op = NativeOp::none;
  NativeType type = NativeType::u32;
  /// Of comparisons: eq, ne, lt, le, gt, ge as 0 to 5 for integers, the processor's predicate for
  /// floats. Of accesses: whether the addresses are registers of 64 bits.
  std::uint8_t detail = 0;
};

/// The form of a handler of the best level (isa/row.h); null where it has no emitter.
[[nodiscard]] const NativeForm* native_form(Handler handler);

}  // namespace warpsim
