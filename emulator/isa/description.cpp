#include "emulator/isa/description.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "emulator/isa/does.h"
#include "emulator/isa/row.h"

namespace warpsim {

namespace does {
namespace {

/// The first of `names` that is a modifier of the instruction; null for none.
template <class Names>
auto first_named(const ptx::Instruction& instruction, const Names& names) {
  for (const std::string_view modifier : instruction.modifiers) {
    for (const auto& entry : names) {
      if (entry.name == modifier) return &entry;
    }
  }
  return static_cast<decltype(names.data())>(nullptr);
}

struct ScopeName {
  std::string_view name;
  Scope scope;
};
constexpr auto kScopes = std::to_array<ScopeName>({{"cta", Scope::block},
                                                   {"cluster", Scope::cluster},
                                                   {"gpu", Scope::device},
                                                   {"gl", Scope::device},
                                                   {"sys", Scope::system}});

struct OperationName {
  std::string_view name;
  AtomicOperation operation;
};
constexpr auto kAtomics = std::to_array<OperationName>({
    {"add", AtomicOperation::add},
    {"inc", AtomicOperation::increment},
    {"dec", AtomicOperation::decrement},
    {"min", AtomicOperation::minimum},
    {"max", AtomicOperation::maximum},
    {"and", AtomicOperation::bit_and},
    {"or", AtomicOperation::bit_or},
    {"xor", AtomicOperation::bit_xor},
    {"exch", AtomicOperation::exchange},
    {"cas", AtomicOperation::compare_and_swap},
});

/// Sets the flag that a modifier of the memory model stands for.
void order(std::string_view modifier, Description& d) {
  if (modifier == "volatile") d.is_volatile = true;
  if (modifier == "relaxed") d.relaxed = true;
  if (modifier == "acquire") d.acquire = true;
  if (modifier == "release") d.release = true;
  if (modifier == "acq_rel") d.acquire_and_release = true;
  if (modifier == "mmio") d.mmio = true;
}

Precision precision_of(ptx::Type type) {
  switch (type) {
    case ptx::Type::f16:
    case ptx::Type::f16x2:
    case ptx::Type::bf16:
    case ptx::Type::bf16x2:
      return Precision::half;
    case ptx::Type::f32:
    case ptx::Type::f32x2:
      return Precision::single;
    case ptx::Type::f64:
      return Precision::dual;
    default:
      return Precision::none;
  }
}

/// 2 * m * n * k of a shape such as "m16n8k16"; 0 for any other word.
std::uint32_t operations_of_shape(std::string_view shape) {
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
struct ElementTime {
  std::string_view name;
  double time;
};
constexpr auto kElementTimes = std::to_array<ElementTime>({{"tf32", 2},
                                                           {"f64", 16},
                                                           {"e4m3", 0.5},
                                                           {"e5m2", 0.5},
                                                           {"s8", 0.5},
                                                           {"u8", 0.5},
                                                           {"s4", 0.25},
                                                           {"u4", 0.25},
                                                           {"b1", 0.125}});

}  // namespace

void refine_arithmetic(const ptx::Instruction& instruction, Description& description) {
  // It also writes the carry flag.
  if (instruction.has("cc")) description.effect = Effect::other;
  // The type that the arithmetic is done in: of fma.f32.f16 the first.
  for (const std::string_view modifier : instruction.modifiers) {
    const auto type = ptx::parse_type(modifier);
    if (!type || precision_of(*type) == Precision::none) continue;
    description.precision = precision_of(*type);
    const bool packed =
        *type == ptx::Type::f16x2 || *type == ptx::Type::bf16x2 || *type == ptx::Type::f32x2;
    description.flops = description.unit == ArithmeticUnit::multiply_add ? 2 : 1;
    if (packed) description.flops *= 2;
    return;
  }
  description.unit = ArithmeticUnit::none;
}

void refine_convert(const ptx::Instruction& instruction, Description& description) {
  description.verbatim = std::ranges::none_of(instruction.modifiers, [](std::string_view modifier) {
    const auto type = ptx::parse_type(modifier);
    return type && ptx::is_float(*type);
  });
}

void refine_collective(const ptx::Instruction& instruction, Description& description) {
  if (instruction.has("any") && description.collective == Collective::match_all) {
    description.collective = Collective::match_any;
  }
  if (instruction.has("sync") && !instruction.operands.empty()) {
    description.members = static_cast<std::int8_t>(instruction.operands.size() - 1);
  }
}

void refine_memory(const ptx::Instruction& instruction, Description& description) {
  for (const std::string_view modifier : instruction.modifiers) {
    if (const auto type = ptx::parse_type(modifier)) {
      description.type = *type;
    } else if (const auto space = ptx::parse_space(modifier)) {
      description.space = *space;
      if (modifier == "shared::cluster") description.other_blocks = true;
    } else {
      order(modifier, description);
    }
  }
  const auto* scope = first_named(instruction, kScopes);
  if (scope != nullptr) description.scope = scope->scope;
}

void refine_load(const ptx::Instruction& instruction, Description& description) {
  refine_memory(instruction, description);
  description.varies =
      description.space != ptx::Space::param && description.space != ptx::Space::constant;
}

void refine_atomic(const ptx::Instruction& instruction, Description& description) {
  refine_memory(instruction, description);
  const auto* operation = first_named(instruction, kAtomics);
  if (operation != nullptr) description.atomic = operation->operation;
}

void refine_mbarrier(const ptx::Instruction& instruction, Description& description) {
  refine_memory(instruction, description);
  if (description.scope == Scope::unspecified) description.scope = Scope::block;
}

void refine_barrier(const ptx::Instruction& instruction, Description& description) {
  refine_memory(instruction, description);
  if (instruction.has("warp")) {
    description.convergence = Convergence::warp;
    if (instruction.has("sync") && !instruction.operands.empty()) description.members = 0;
  } else if (instruction.has("cluster")) {
    description.convergence = Convergence::cluster;
    description.asynchronous = true;
  }
  description.has_result = instruction.has("red");
  description.arrives_only = instruction.has("arrive");
}

void refine_matrix(const ptx::Instruction& instruction, Description& description) {
  description.unit = ArithmeticUnit::matrix;
  const bool integer = instruction.has("s32") || instruction.has("b1");
  const auto* element = first_named(instruction, kElementTimes);
  const double time = element == nullptr ? 1 : element->time;
  for (const std::string_view modifier : instruction.modifiers) {
    const std::uint32_t operations = operations_of_shape(modifier);
    if (!integer) description.flops += operations;
    description.matrix_work += static_cast<std::uint32_t>(operations * time);
  }
}

void refine_wmma(const ptx::Instruction& instruction, Description& description) {
  refine_memory(instruction, description);
  if (instruction.has("mma")) refine_matrix(instruction, description);
}

}  // namespace does

namespace {

void collect(const ptx::Operand& operand, std::vector<std::uint32_t>& registers) {
  if (operand.kind != ptx::Operand::Kind::label && operand.reg != ptx::kNoIndex) {
    registers.push_back(operand.reg);
  }
  for (const auto& element : operand.elements) collect(element, registers);
}

}  // namespace

Description describe(const ptx::Instruction& instruction) {
  const auto rows = rows_named(instruction.opcode);
  if (rows.empty()) return {};
  const Semantics& does = rows.front()->does;
  Description description = does.description;
  if (does.refine != nullptr) does.refine(instruction, description);
  return description;
}

OperandRole role_of(const Description& description, const ptx::Instruction& instruction,
                    std::size_t operand) {
  using Kind = ptx::Operand::Kind;
  switch (instruction.operands[operand].kind) {
    case Kind::label:
      return OperandRole::label;
    case Kind::address:
      return OperandRole::address;
    case Kind::reg:
    case Kind::pair:
    case Kind::vector:
    case Kind::selected:
    case Kind::sink:
      if (operand == 0 && description.has_result) return OperandRole::written;
      break;
    default:
      break;
  }
  return static_cast<int>(operand) == description.members ? OperandRole::members
                                                          : OperandRole::read;
}

const ptx::Operand* address_of(const ptx::Instruction& instruction) {
  const auto found =
      std::ranges::find(instruction.operands, ptx::Operand::Kind::address, &ptx::Operand::kind);
  return found == instruction.operands.end() ? nullptr : &*found;
}

RegisterUse register_use(const ptx::Instruction& instruction) {
  const Description description = describe(instruction);
  RegisterUse use;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const bool written = role_of(description, instruction, i) == OperandRole::written;
    collect(instruction.operands[i], written ? use.writes : use.reads);
  }
  if (instruction.guard.reg != ptx::kNoIndex) use.reads.push_back(instruction.guard.reg);
  return use;
}

ptx::Instruction make_return() {
  ptx::Instruction instruction;
  instruction.opcode = "ret";
  return instruction;
}

ptx::Instruction make_barrier(std::uint64_t id) {
  ptx::Instruction instruction;
  instruction.opcode = "bar";
  instruction.modifiers = {"sync"};
  instruction.operands.emplace_back();
  instruction.operands.back().kind = ptx::Operand::Kind::immediate;
  instruction.operands.back().bits = id;
  return instruction;
}

}  // namespace warpsim
