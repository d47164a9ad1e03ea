#include "emulator/isa/semantics.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace warpsim::semantics {

// -- what modifiers change ------------------------------------------------------------------------

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

/// m, n and k of a shape such as "m16n8k16"; zeros for any other word.
std::array<std::uint32_t, 3> sizes_of_shape(std::string_view shape) {
  std::array<std::uint32_t, 3> sizes = {};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (shape.empty() || shape.front() != "mnk"[i]) return {};
    shape.remove_prefix(1);
    const auto end = std::from_chars(shape.data(), shape.data() + shape.size(), sizes[i]);
    if (end.ec != std::errc{}) return {};
    shape.remove_prefix(static_cast<std::size_t>(end.ptr - shape.data()));
  }
  return shape.empty() ? sizes : std::array<std::uint32_t, 3>{};
}
std::uint32_t operations_of_shape(std::string_view shape) {
  const auto [m, n, k] = sizes_of_shape(shape);
  return 2 * m * n * k;
}
std::uint32_t columns_of_shape(std::string_view shape) {
  return sizes_of_shape(shape)[1];
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

/// What it is for indices, by what the opcode is for them.
IndexArithmetic index_arithmetic(const ptx::Instruction& instruction, IndexArithmetic opcode) {
  const bool whole = std::ranges::any_of(instruction.modifiers, [](std::string_view modifier) {
    const auto type = ptx::parse_type(modifier);
    return type == ptx::Type::u32 || type == ptx::Type::s32 || type == ptx::Type::u64 ||
           type == ptx::Type::s64;
  });
  if (!whole || instruction.has("hi")) return IndexArithmetic::none;
  if (!instruction.has("wide")) return opcode;
  return opcode == IndexArithmetic::product ? IndexArithmetic::wider_product
                                            : IndexArithmetic::wider_product_and_sum;
}

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
    description.index = IndexArithmetic::none;
    return;
  }
  description.index = index_arithmetic(instruction, description.index);
  description.unit = ArithmeticUnit::none;
}

void refine_convert(const ptx::Instruction& instruction, Description& description) {
  description.verbatim = std::ranges::none_of(instruction.modifiers, [](std::string_view modifier) {
    const auto type = ptx::parse_type(modifier);
    return type && ptx::is_float(*type);
  });
  if (description.verbatim) description.index = IndexArithmetic::converted;
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
  if (instruction.has("nc")) description.read_only = true;
  description.varies =
      description.space != ptx::Space::param && description.space != ptx::Space::constant;
}

void refine_atomic(const ptx::Instruction& instruction, Description& description) {
  refine_memory(instruction, description);
  const auto* operation = first_named(instruction, kAtomics);
  if (operation != nullptr) description.atomic = operation->operation;
}

void refine_async_copy(const ptx::Instruction& instruction, Description& description) {
  refine_memory(instruction, description);
  if (!instruction.has("bulk")) return;
  if (instruction.has("prefetch") || instruction.has("reduce")) {
    description.bulk = instruction.has("reduce") ? BulkUse::reduction : BulkUse::prefetch;
    return;
  }
  const auto& modifiers = instruction.modifiers;
  const auto is_shared = [](std::string_view modifier) { return modifier.starts_with("shared::"); };
  const auto global = std::ranges::find(modifiers, "global");
  const auto shared = std::ranges::find_if(modifiers, is_shared);
  if (shared == modifiers.end()) return;  // groups: nothing is copied
  if (global == modifiers.end()) {
    description.bulk = BulkUse::to_shared;
  } else {
    description.bulk = shared < global ? BulkUse::load : BulkUse::store;
  }
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
  // 16 x 8 results, of 32 bytes of each row.
  constexpr std::uint32_t kUsualWork = 2 * 16 * 8 * 16;
  const bool small = description.matrix_work < kUsualWork || instruction.has("m8n8k4");
  description.matrix_form = small ? MatrixForm::small : MatrixForm::warp;
  description.matrix_instructions = 1;
}

void refine_wmma(const ptx::Instruction& instruction, Description& description) {
  refine_memory(instruction, description);
  if (!instruction.has("mma")) return;
  refine_matrix(instruction, description);
  // 16 x 16 results and the like are two products of 16 x 8.
  if (!instruction.has("m8n8k4")) description.matrix_instructions = 2;
}

void refine_group_multiply(const ptx::Instruction& instruction, Description& description) {
  if (!instruction.has("mma_async")) return;
  description.has_result = description.accumulates = true;
  refine_matrix(instruction, description);
  // Each of the four warps executes the instruction and does a quarter. Measured on an H200: 128
  // cycles for n = 256 in every type, so that bits are faster than in mma.
  description.flops /= 4;
  description.matrix_work /= instruction.has("b1") ? 8 : 4;
  description.matrix_form = MatrixForm::group;
  // As ncu counted there: each row of A, and each column of B, is 32 bytes in every type. Each is
  // read once, for all four warps.
  constexpr std::uint32_t kBytes = 32;
  const bool a_in_registers =
      instruction.operands.size() > 1 && instruction.operands[1].kind == ptx::Operand::Kind::vector;
  for (const std::string_view modifier : instruction.modifiers) {
    const std::uint32_t columns = columns_of_shape(modifier);
    if (columns == 0) continue;
    description.matrix_bytes = kBytes * (columns + (a_in_registers ? 0 : 64)) / 4;
  }
}

}  // namespace

// -- what opcodes do ------------------------------------------------------------------------------

// -- from registers to registers
constinit const Semantics kCompute{.description = {.effect = Effect::pure}};
constinit const Semantics kMoveBits{.description = {.effect = Effect::pure, .verbatim = true}};
constinit const Semantics kShiftLeft{.description = {
                                         .effect = Effect::pure,
                                         .verbatim = true,
                                         .index = IndexArithmetic::shifted,
                                     }};
constinit const Semantics kCombineBits{
    .description = {.effect = Effect::pure, .verbatim = true, .bitwise = true}};
constinit const Semantics kMove{
    .description = {.effect = Effect::pure, .copies = true, .verbatim = true}};
constinit const Semantics kConvert{.description = {.effect = Effect::pure},
                                   .refine = refine_convert};
constinit const Semantics kDecide{
    .description = {.effect = Effect::pure, .compares = true, .decides = true}};
constinit const Semantics kCompare{.description = {.effect = Effect::pure, .compares = true}};
constinit const Semantics kAdd{.description = {.effect = Effect::pure,
                                               .unit = ArithmeticUnit::add,
                                               .index = IndexArithmetic::sum},
                               .refine = refine_arithmetic};
constinit const Semantics kSubtract{.description = {.effect = Effect::pure,
                                                    .unit = ArithmeticUnit::add,
                                                    .index = IndexArithmetic::difference},
                                    .refine = refine_arithmetic};
constinit const Semantics kMultiply{.description = {.effect = Effect::pure,
                                                    .unit = ArithmeticUnit::multiply,
                                                    .index = IndexArithmetic::product},
                                    .refine = refine_arithmetic};
constinit const Semantics kMultiplyAdd{.description = {.effect = Effect::pure,
                                                       .unit = ArithmeticUnit::multiply_add,
                                                       .index = IndexArithmetic::product_and_sum},
                                       .refine = refine_arithmetic};
constinit const Semantics kSpecial{
    .description = {.effect = Effect::pure, .unit = ArithmeticUnit::special},
    .refine = refine_arithmetic};
constinit const Semantics kOtherArithmetic{
    .description = {.effect = Effect::pure, .unit = ArithmeticUnit::other},
    .refine = refine_arithmetic};
constinit const Semantics kImpure{};
constinit const Semantics kAction{.description = {.has_result = false}};
constinit const Semantics kWarpAction{
    .description = {.convergence = Convergence::warp, .has_result = false}};
constinit const Semantics kHint{.description = {.effect = Effect::harmless, .has_result = false}};

// -- lanes of a warp
constinit const Semantics kShuffle{.description = {.effect = Effect::collective,
                                                   .convergence = Convergence::warp,
                                                   .collective = Collective::shuffle,
                                                   .varies = true,
                                                   .verbatim = true},
                                   .refine = refine_collective,
                                   .refines_roles = true};
constinit const Semantics kVote{.description = {.effect = Effect::collective,
                                                .convergence = Convergence::warp,
                                                .collective = Collective::vote,
                                                .varies = true},
                                .refine = refine_collective,
                                .refines_roles = true};
constinit const Semantics kMatch{.description = {.effect = Effect::collective,
                                                 .convergence = Convergence::warp,
                                                 .collective = Collective::match_all,
                                                 .varies = true},
                                 .refine = refine_collective,
                                 .refines_roles = true};
constinit const Semantics kReduceLanes{.description = {.effect = Effect::collective,
                                                       .convergence = Convergence::warp,
                                                       .collective = Collective::reduce,
                                                       .varies = true},
                                       .refine = refine_collective,
                                       .refines_roles = true};
constinit const Semantics kElect{.description = {.convergence = Convergence::warp,
                                                 .collective = Collective::elect,
                                                 .varies = true},
                                 .refine = refine_collective,
                                 .refines_roles = true};
constinit const Semantics kActiveMask{.description = {.convergence = Convergence::warp,
                                                      .collective = Collective::active_mask,
                                                      .varies = true}};

// -- control flow and barriers
constinit const Semantics kBranch{.description = {
                                      .effect = Effect::branch,
                                      .control = Control::branch,
                                      .has_result = false,
                                  }};
constinit const Semantics kIndexedBranch{.description = {
                                             .effect = Effect::branch,
                                             .control = Control::indexed_branch,
                                             .has_result = false,
                                         }};
constinit const Semantics kCall{.description = {
                                    .effect = Effect::call,
                                    .control = Control::call,
                                    .has_result = false,
                                    .varies = true,
                                }};
constinit const Semantics kLeave{.description = {.control = Control::leave, .has_result = false}};
constinit const Semantics kTrap{.description = {.control = Control::trap, .has_result = false}};
constinit const Semantics kBarrier{.description = {.effect = Effect::barrier,
                                                   .convergence = Convergence::block,
                                                   .has_result = false},
                                   .refine = refine_barrier,
                                   .refines_roles = true};
constinit const Semantics kFence{.description = {.effect = Effect::harmless, .has_result = false},
                                 .refine = refine_memory};
constinit const Semantics kMbarrier{.description = {.asynchronous = true},
                                    .refine = refine_mbarrier};

// -- memory
constinit const Semantics kLoad{.description = {.effect = Effect::load}, .refine = refine_load};
constinit const Semantics kUniformLoad{.description = {.effect = Effect::load, .read_only = true},
                                       .refine = refine_load};
constinit const Semantics kStore{.description = {.effect = Effect::store, .has_result = false},
                                 .refine = refine_memory};
constinit const Semantics kAtomic{.description = {.effect = Effect::atomic, .varies = true},
                                  .refine = refine_atomic};
constinit const Semantics kReduction{.description = {.effect = Effect::atomic, .has_result = false},
                                     .refine = refine_atomic};
constinit const Semantics kAsyncCopy{.description = {.has_result = false, .asynchronous = true},
                                     .refine = refine_async_copy};
constinit const Semantics kTextureLoad{.description = {.varies = true}};
constinit const Semantics kSurfaceStore{.description = {.has_result = false}};

// -- matrices: their elements are spread over the lanes of a warp
constinit const Semantics kMatrixMultiply{
    .description = {.convergence = Convergence::warp, .varies = true}, .refine = refine_matrix};
constinit const Semantics kWmma{.description = {.convergence = Convergence::warp, .varies = true},
                                .refine = refine_wmma};
constinit const Semantics kMatrixMove{
    .description = {.convergence = Convergence::warp, .varies = true, .fragments = true},
    .refine = refine_memory};
constinit const Semantics kGroupMultiply{.description = {.convergence = Convergence::warp,
                                                         .has_result = false,
                                                         .varies = true,
                                                         .asynchronous = true},
                                         .refine = refine_group_multiply,
                                         .refines_roles = true};

}  // namespace warpsim::semantics
