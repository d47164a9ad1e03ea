#include "emulator/counters/traits.h"

#include "emulator/isa/description.h"

namespace warpsim {
namespace {

/// The pipe of a unit at a precision.
Arithmetic arithmetic_of(ArithmeticUnit unit, Precision precision) {
  const auto pick = [&](Arithmetic add, Arithmetic multiply, Arithmetic fused, Arithmetic other) {
    switch (unit) {
      case ArithmeticUnit::none:
        return Arithmetic::none;
      case ArithmeticUnit::add:
        return add;
      case ArithmeticUnit::multiply:
        return multiply;
      case ArithmeticUnit::multiply_add:
        return fused;
      case ArithmeticUnit::matrix:
        return Arithmetic::tensor;
      case ArithmeticUnit::special:
      case ArithmeticUnit::other:
        break;
    }
    return other;
  };
  using enum Arithmetic;
  switch (precision) {
    case Precision::single:
      return pick(fadd, fmul, ffma, fother);
    case Precision::dual:
      return pick(dadd, dmul, dfma, dother);
    case Precision::half:
      return pick(hadd, hmul, hfma, hother);
    case Precision::none:
      break;
  }
  return unit == ArithmeticUnit::matrix ? tensor : none;
}

}  // namespace

InstructionTraits traits_of(const ptx::Instruction& instruction, AccessKind access) {
  const Description does = describe(instruction);
  InstructionTraits traits;
  traits.access = access;
  traits.branch = does.effect == Effect::branch;
  traits.barrier = does.is_block_barrier();
  traits.shuffle = does.collective == Collective::shuffle;
  traits.match = does.collective == Collective::match_any;
  traits.arithmetic = arithmetic_of(does.unit, does.precision);
  traits.special = does.unit == ArithmeticUnit::special;
  traits.flops = does.flops;
  traits.matrix_work = does.matrix_work;
  return traits;
}

}  // namespace warpsim
