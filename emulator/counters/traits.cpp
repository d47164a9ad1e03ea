#include "emulator/counters/traits.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace warpsim {
namespace {

enum class Precision { none, half, half2, single, twice_single, dual };

/// The type that the arithmetic is done in: for conversions there is none, for `fma.f32.f16` and
/// relatives the first.
Precision precision_of(const ptx::Instruction& instruction) {
  struct Name {
    std::string_view modifier;
    Precision precision;
  };
  constexpr auto kNames = std::to_array<Name>({
      {"f32", Precision::single},
      {"f32x2", Precision::twice_single},
      {"f64", Precision::dual},
      {"f16", Precision::half},
      {"bf16", Precision::half},
      {"f16x2", Precision::half2},
      {"bf16x2", Precision::half2},
  });
  for (const std::string_view modifier : instruction.modifiers) {
    const auto found = std::ranges::find(kNames, modifier, &Name::modifier);
    if (found != kNames.end()) return found->precision;
  }
  return Precision::none;
}

enum class Operation { none, add, mul, fma, special, other };

Operation operation_of(std::string_view opcode) {
  struct Name {
    std::string_view opcode;
    Operation operation;
  };
  constexpr auto kNames = std::to_array<Name>({
      {"add", Operation::add},
      {"sub", Operation::add},
      {"mul", Operation::mul},
      {"fma", Operation::fma},
      {"mad", Operation::fma},
      {"div", Operation::special},
      {"sqrt", Operation::special},
      {"rsqrt", Operation::special},
      {"rcp", Operation::special},
      {"sin", Operation::special},
      {"cos", Operation::special},
      {"ex2", Operation::special},
      {"lg2", Operation::special},
      {"tanh", Operation::special},
      {"min", Operation::other},
      {"max", Operation::other},
  });
  const auto found = std::ranges::find(kNames, opcode, &Name::opcode);
  return found == kNames.end() ? Operation::none : found->operation;
}

Arithmetic arithmetic_of(Precision precision, Operation operation) {
  const auto pick = [&](Arithmetic add, Arithmetic mul, Arithmetic fma, Arithmetic other) {
    switch (operation) {
      case Operation::add:
        return add;
      case Operation::mul:
        return mul;
      case Operation::fma:
        return fma;
      default:
        return other;
    }
  };
  using enum Arithmetic;
  switch (precision) {
    case Precision::single:
    case Precision::twice_single:
      return pick(fadd, fmul, ffma, fother);
    case Precision::dual:
      return pick(dadd, dmul, dfma, dother);
    case Precision::half:
    case Precision::half2:
      return pick(hadd, hmul, hfma, hother);
    case Precision::none:
      break;
  }
  return none;
}

/// 2 * m * n * k of a shape such as "m16n8k16"; 0 for any other word.
std::uint32_t matrix_flops(std::string_view shape) {
  std::uint32_t product = 2;
  for (const char dimension : {'m', 'n', 'k'}) {
    std::uint32_t size = 0;
    if (shape.empty() || shape.front() != dimension) return 0;
    shape.remove_prefix(1);
    const auto end = std::from_chars(shape.data(), shape.data() + shape.size(), size);
    if (end.ec != std::errc{}) return 0;
    shape.remove_prefix(static_cast<std::size_t>(end.ptr - shape.data()));
    product *= size;
  }
  return shape.empty() ? product : 0;
}

/// How long the pipe takes for an operation on these elements, f16 and bf16 being 1: halving the
/// element doubles the rate, and doubles run at a sixteenth of it on the cards that have them.
double matrix_time(const ptx::Instruction& instruction) {
  struct Name {
    std::string_view modifier;
    double time;
  };
  constexpr auto kNames = std::to_array<Name>({{"tf32", 2},
                                               {"f64", 16},
                                               {"e4m3", 0.5},
                                               {"e5m2", 0.5},
                                               {"s8", 0.5},
                                               {"u8", 0.5},
                                               {"s4", 0.25},
                                               {"u4", 0.25},
                                               {"b1", 0.125}});
  for (const std::string_view modifier : instruction.modifiers) {
    const auto found = std::ranges::find(kNames, modifier, &Name::modifier);
    if (found != kNames.end()) return found->time;
  }
  return 1;
}

bool multiplies_matrices(const ptx::Instruction& instruction) {
  return instruction.opcode == "mma" || instruction.opcode == "wgmma" ||
         (instruction.opcode == "wmma" && instruction.has("mma"));
}

}  // namespace

InstructionTraits traits_of(const ptx::Instruction& instruction, AccessKind access) {
  InstructionTraits traits;
  traits.access = access;
  const std::string_view opcode = instruction.opcode;
  traits.branch = opcode == "bra" || opcode == "brx";
  traits.barrier = opcode == "barrier" ? !instruction.has("cluster")
                                       : opcode == "bar" && !instruction.has("warp");
  traits.shuffle = opcode == "shfl";
  traits.match = opcode == "match" && instruction.has("any");
  if (multiplies_matrices(instruction)) {
    traits.arithmetic = Arithmetic::tensor;
    const bool integer = std::ranges::any_of(instruction.modifiers, [](std::string_view modifier) {
      return modifier == "s32" || modifier == "b1";
    });
    for (const auto modifier : instruction.modifiers) {
      const std::uint32_t operations = matrix_flops(modifier);
      if (!integer) traits.flops += operations;
      traits.matrix_work += static_cast<std::uint32_t>(operations * matrix_time(instruction));
    }
    return traits;
  }
  const Operation operation = operation_of(opcode);
  const Precision precision = precision_of(instruction);
  if (operation == Operation::none || precision == Precision::none) return traits;
  traits.arithmetic = arithmetic_of(precision, operation);
  traits.special = operation == Operation::special;
  traits.flops = operation == Operation::fma ? 2 : 1;
  if (precision == Precision::half2 || precision == Precision::twice_single) traits.flops *= 2;
  return traits;
}

}  // namespace warpsim
