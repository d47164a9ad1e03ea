#include "emulator/counters/traits.h"

#include <cmath>

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

/// What a matrix instruction takes of the pipe.
void add_matrix(const Description& does, const Card& card, InstructionTraits& traits) {
  double share = 1;
  if (does.matrix_form == MatrixForm::warp) share = card.tensor_share_of_warp;
  if (does.matrix_form == MatrixForm::small) share = card.tensor_share_of_small;
  const double work = does.matrix_work / share;
  const double a_cycle = card.tensor_flops_per_clock / 4.0;  // of a quarter of a multiprocessor
  traits.matrix_work = static_cast<std::uint32_t>(std::lround(work));
  traits.matrix_cycles = static_cast<std::uint32_t>(std::ceil(work / a_cycle));
  traits.matrix_instructions = does.matrix_instructions;
  traits.matrix_bytes = does.matrix_bytes;
}

}  // namespace

InstructionTraits traits_of(const ptx::Instruction& instruction, AccessKind access,
                            const Card& card) {
  const Description does = describe(instruction);
  InstructionTraits traits;
  // A prefetch into the second level moves nothing that is counted.
  traits.access = does.bulk == BulkUse::prefetch ? AccessKind::none : access;
  traits.branch = does.effect == Effect::branch;
  traits.barrier = does.is_block_barrier();
  traits.shuffle = does.collective == Collective::shuffle;
  traits.match = does.collective == Collective::match_any;
  traits.arithmetic = arithmetic_of(does.unit, does.precision);
  traits.special = does.unit == ArithmeticUnit::special;
  traits.flops = does.flops;
  if (does.unit == ArithmeticUnit::matrix) add_matrix(does, card, traits);
  traits.fragments = does.fragments;
  traits.bulk = does.bulk;
  return traits;
}

}  // namespace warpsim
