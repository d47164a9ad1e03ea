#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/ptx/module.h"
#include "emulator/ptx/type.h"

// What an instruction does, for everybody but its handler: liveness, control flow, checkers,
// counters, experiments. It comes from the instruction's row of the table (isa/row.h) and from its
// modifiers, so an opcode's name is known in its row and nowhere else.

namespace warpsim {

/// What an instruction does with values.
enum class Effect : std::uint8_t {
  pure,  // registers to registers, and nothing else: may be executed again
  collective,  // likewise among the lanes of a warp, once all of them are there
  load,
  store,
  atomic,  // reads, changes and writes memory; with or without a result
  branch,
  barrier,
  call,
  harmless,  // fences, hints: what they read does not matter
  other,
};

/// What is executed next.
enum class Control : std::uint8_t {
  next,
  branch,  // at a label
  indexed_branch,  // at a label of a branch table
  call,
  leave,  // the function, or the kernel
  trap,
};

/// Control does not continue with the next instruction: it branches, returns or ends the thread.
[[nodiscard]] constexpr bool transfers_control(Control control) {
  return control != Control::next && control != Control::call;
}

/// The threads that an instruction brings together.
enum class Convergence : std::uint8_t { none, warp, block, cluster };

/// Collective operations of a warp.
enum class Collective : std::uint8_t {
  none,
  shuffle,
  vote,
  match_any,
  match_all,
  reduce,
  elect,
  active_mask,
};

enum class AtomicOperation : std::uint8_t {
  none,
  add,
  increment,
  decrement,
  minimum,
  maximum,
  bit_and,
  bit_or,
  bit_xor,
  exchange,
  compare_and_swap,
};

/// How far a fence, an atomic or an ordered access reaches.
enum class Scope : std::uint8_t { unspecified, block, cluster, device, system };

/// Floating-point arithmetic by what computes it.
enum class ArithmeticUnit : std::uint8_t {
  none,
  add,
  multiply,
  multiply_add,
  special,
  other,
  matrix
};
/// Matrix instructions by how fast Hopper's pipe is with them.
enum class MatrixForm : std::uint8_t {
  group,  // wgmma
  warp,
  small,  // a warp's, with half of the rows or half of the depth of the others
};
enum class Precision : std::uint8_t { none, half, single, dual };

/// What the copy engine does: loads and stores are to and from shared memory, with global memory on
/// the other side.
enum class BulkUse : std::uint8_t { none, load, store, reduction, to_shared, prefetch };
inline constexpr std::size_t kBulkUses = 6;

/// Arithmetic with whole numbers of 32 or 64 bits, from which indices are computed.
enum class IndexArithmetic : std::uint8_t {
  none,
  sum,
  difference,
  product,
  product_and_sum,
  wider_product,  // twice as wide as its factors
  wider_product_and_sum,
  shifted,  // to the left
  converted,  // to another type, with the same value where it fits
};

enum class OperandRole : std::uint8_t {
  read,
  written,
  address,  // in brackets: its registers are read
  label,
  members,  // the lanes that a collective operation is for; read
};

struct Description {
  Effect effect = Effect::other;
  Control control = Control::next;
  Convergence convergence = Convergence::none;
  Collective collective = Collective::none;

  // -- values
  /// The first operand is the result, unless it is in brackets.
  bool has_result = true;
  bool accumulates = false;  // the result's registers are read, too
  /// The result may differ between threads whatever the operands are.
  bool varies = false;
  bool copies = false;  // the result is the second operand, unless one is a vector
  bool verbatim = false;  // bits of the result are bits of an operand
  bool bitwise = false;  // each bit of the result comes from those of the operands at its position
  bool compares = false;  // operands a and b, for a predicate or a value
  bool decides = false;  // the result is a predicate that stands for a decision
  /// The operand that names the lanes of a collective operation; -1: none.
  std::int8_t members = -1;

  // -- synchronization
  bool arrives_only = false;  // at a barrier, without waiting
  bool asynchronous = false;  // starts or waits for work that other units do

  // -- memory
  ptx::Space space = ptx::Space::generic;
  ptx::Type type = ptx::Type::none;  // of an element
  bool other_blocks = false;  // .shared::cluster: may be shared memory of another block
  bool is_volatile = false;
  bool relaxed = false;
  bool acquire = false;
  bool release = false;
  bool acquire_and_release = false;
  bool mmio = false;
  /// A load that need not see what the kernel itself writes: the program promises that nothing
  /// writes there while the kernel runs.
  bool read_only = false;
  Scope scope = Scope::unspecified;
  AtomicOperation atomic = AtomicOperation::none;
  BulkUse bulk = BulkUse::none;
  bool fragments = false;  // moves 8 x 8 parts of a matrix to or from the lanes of a warp

  // -- arithmetic
  ArithmeticUnit unit = ArithmeticUnit::none;
  Precision precision = Precision::none;
  /// Floating-point operations of a thread, a fused multiply-add being 2; unit matrix: of the warp.
  std::uint32_t flops = 0;
  /// Unit matrix: operations of f16 that take the pipe as long, of the warp.
  std::uint32_t matrix_work = 0;
  MatrixForm matrix_form = MatrixForm::group;
  std::uint32_t matrix_instructions = 0;  // of machine code, of the warp
  std::uint32_t matrix_bytes = 0;  // of operands in shared memory, read for the warp
  IndexArithmetic index = IndexArithmetic::none;

  /// All threads of the block, or of the cluster, arrive at it.
  [[nodiscard]] bool is_block_barrier() const {
    return effect == Effect::barrier && convergence == Convergence::block;
  }
  [[nodiscard]] bool is_cluster_barrier() const {
    return effect == Effect::barrier && convergence == Convergence::cluster;
  }
  /// A load or a store of the memory model's strong ones, or an atomic.
  [[nodiscard]] bool strong() const {
    return effect == Effect::atomic || is_volatile || relaxed || acquire || release || mmio;
  }
};

/// What an opcode does in all its forms, and what its modifiers change about that. A row of the
/// instruction table names one (isa/semantics.h has them).
struct Semantics {
  Description description;
  /// Reads the modifiers. It leaves `control` as it is, so that control_of need not call it.
  void (*refine)(const ptx::Instruction& instruction, Description& description) = nullptr;
  /// Modifiers change the roles of the operands, `has_result` or `members`.
  bool refines_roles = false;
};

/// An opcode that the table does not have does `other` and has a result.
[[nodiscard]] Description describe(const ptx::Instruction& instruction);
/// describe(instruction).control, without reading the modifiers.
[[nodiscard]] Control control_of(const ptx::Instruction& instruction);

/// @param operand  index of an operand of the instruction
[[nodiscard]] OperandRole role_of(const Description& description,
                                  const ptx::Instruction& instruction, std::size_t operand);

/// The operand that says where in memory; null where nothing is in brackets.
[[nodiscard]] const ptx::Operand* address_of(const ptx::Instruction& instruction);

/// Registers that an instruction reads, its guard among them, and writes; by index.
struct RegisterUse {
  std::vector<std::uint32_t> reads;
  std::vector<std::uint32_t> writes;
};
[[nodiscard]] RegisterUse register_use(const ptx::Instruction& instruction);

/// Instructions that the emulator itself adds to a function: the return after the last one, and a
/// barrier of the whole block.
[[nodiscard]] ptx::Instruction make_return();
[[nodiscard]] ptx::Instruction make_barrier(std::uint64_t id);

}  // namespace warpsim
