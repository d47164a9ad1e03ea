#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/counters/counters.h"
#include "emulator/isa/inst.h"
#include "emulator/machine/atomic_costs.h"
#include "emulator/machine/native_code.h"
#include "emulator/ptx/module.h"

// A function decoded for execution.

namespace warpsim {

struct LoadedModule;
struct Program;

/// Values that a frame's register file holds besides virtual registers and constants, filled in
/// when a warp starts or a function is entered.
enum class FrameValue : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  dynamic_smem_size,
  total_smem_size,
  zero,
  envreg1,
  envreg2,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_ctarank,
  cluster_nctarank,
  is_explicit_cluster,
  local_address,  // the frame's local base plus `operand`
  kernel_parameter,  // a value of the parameter buffer, splatted; see parameter_operand()
};

/// FrameSlot::operand of a kernel parameter: where, how many bytes, and whether to extend its sign.
[[nodiscard]] constexpr std::uint64_t parameter_operand(std::uint64_t offset, std::uint64_t bytes,
                                                        bool is_signed) {
  return offset | bytes << 32 | std::uint64_t{is_signed} << 40;
}

/// Differs between the warps of a block, and is the same for a warp of every block.
[[nodiscard]] constexpr bool changes_with_warp(FrameValue value) {
  switch (value) {
    case FrameValue::tid_x:
    case FrameValue::tid_y:
    case FrameValue::tid_z:
    case FrameValue::warpid:
      return true;
    default:
      return false;
  }
}

/// Differs between the blocks of a launch, and is the same for all warps of a block.
[[nodiscard]] constexpr bool changes_with_block(FrameValue value) {
  switch (value) {
    case FrameValue::ctaid_x:
    case FrameValue::ctaid_y:
    case FrameValue::ctaid_z:
    case FrameValue::smid:
    case FrameValue::clusterid_x:
    case FrameValue::clusterid_y:
    case FrameValue::clusterid_z:
    case FrameValue::cluster_ctaid_x:
    case FrameValue::cluster_ctaid_y:
    case FrameValue::cluster_ctaid_z:
    case FrameValue::cluster_ctarank:
      return true;
    default:
      return false;
  }
}

/// Differs between the lanes of a warp.
[[nodiscard]] constexpr bool changes_with_lane(FrameValue value) {
  switch (value) {
    case FrameValue::tid_x:
    case FrameValue::tid_y:
    case FrameValue::tid_z:
    case FrameValue::laneid:
    case FrameValue::lanemask_eq:
    case FrameValue::lanemask_le:
    case FrameValue::lanemask_lt:
    case FrameValue::lanemask_ge:
    case FrameValue::lanemask_gt:
      return true;
    default:
      return false;
  }
}

struct FrameSlot {
  FrameValue value;
  std::uint8_t bytes;  // a lane: 2, 4 or 8
  std::int32_t slot;
  std::uint64_t operand = 0;
};

/// A function that can be called; each kernel that reaches it decodes it for its own shared layout.
struct FunctionRef {
  const LoadedModule* module = nullptr;
  const ptx::Function* function = nullptr;  // null for a builtin
  std::uint32_t number = 0;  // its address is kFunctionWindow + 16 * number
  enum class Builtin : std::uint8_t {
    none,
    vprintf,
    assertfail,
    malloc,
    free,
    set_conditional,
    unresolved
  };
  Builtin builtin = Builtin::none;
  std::string name;
};

/// Where one formal parameter or return value lives: an offset in the callee's local frame.
struct ParameterPlace {
  std::string_view name;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

/// A call's operands: byte ranges of the caller's local frame, copied to and from the callee's.
struct CallOperands {
  FunctionRef* callee = nullptr;  // null: indirect through inst.a
  std::atomic<Program*> program = nullptr;  // of the last callee, decoded
  std::atomic<FunctionRef*> last = nullptr;
  std::vector<ParameterPlace> arguments;  // offsets in the caller's frame
  std::vector<ParameterPlace> results;
};

/// Register operands of a vector load or store.
struct VectorOperand {
  std::uint32_t count = 0;
  std::int32_t slots[8] = {};
};

/// An address operand of an instruction that has several: what its register holds plus `add`, which
/// makes it a generic address.
struct AddressOperand {
  std::int32_t slot = -1;
  bool wide = false;  // a 64-bit register
  bool shared = false;  // 32 bits of it count: an offset in shared memory
  std::uint64_t add = 0;
};

/// Operands of asynchronous copies and mbarriers; slots are -1 where the form has none.
struct AsyncOperands {
  AddressOperand to, from, barrier;
  std::int32_t size = -1;  // bytes, transaction bytes or arrivals
  std::int32_t mask = -1;  // blocks of a multicast
  std::int32_t ignore = -1;  // predicate: do not read the source
  bool ignore_negated = false;
};

/// Targets of brx.idx.
struct BranchTable {
  std::vector<const Inst*> targets;
};

/// The array that stands for what the system keeps for cooperative groups.
inline constexpr std::string_view kReservedSharedName = "reserved by the system";

/// A `__shared__` array as laid out for the emulator: guarded, at the same bank as on hardware.
struct SharedArray {
  std::string name;  // as in the source, where it is known; else the PTX name
  std::uint32_t offset = 0;  // in the emulated block's shared memory
  std::uint32_t bytes = 0;
};

struct Program {
  const LoadedModule* module = nullptr;
  struct Kernel* kernel = nullptr;  // the entry it was decoded for
  const ptx::Function* function = nullptr;
  std::uint32_t id = 0;  // number among all decoded programs
  std::vector<Inst> code;  // ends with an implicit ret
  std::vector<const ptx::Instruction*> source;  // by instruction index; null for the implicit ret
  std::vector<AccessKind> access;  // by instruction index
  std::vector<AtomicCost> atomic_costs;  // likewise; empty without atomics
  std::vector<std::byte> frame_image;  // constants in place, everything else zero
  /// Bytes after a warp's last frame: text may use a register as a wider type than it has. That is
  /// wrong, and ptxas refuses it; here it reads or spoils another register, and no other memory.
  static constexpr std::size_t kRoomBehindFrames = 32 * 16;
  /// Bytes of register memory that a frame needs while it is its warp's last one.
  [[nodiscard]] std::size_t window_bytes() const { return frame_image.size() + kRoomBehindFrames; }
  std::vector<FrameSlot> frame_slots;  // the same for every block of a launch
  std::vector<FrameSlot> block_slots;  // what changes with the block
  std::vector<Inst> ahead;  // what computes only from frame_slots: done when a warp is prepared
  /// Bytes of a frame that differ between the warps of a block: frame_slots of that kind, and what
  /// is done ahead from them.
  struct Place {
    std::int32_t slot;
    std::uint32_t bytes;
  };
  std::vector<Place> warp_places;
  /// Bytes of a frame that have one value for all lanes as long as it lives, in their order.
  std::vector<Place> uniform_places;
  std::vector<std::int32_t> register_slots;  // by index in function->registers; -1: unused
  std::uint32_t local_bytes = 0;  // of one lane's frame: .local and .param variables
  std::vector<ParameterPlace> parameters;  // device functions
  std::vector<ParameterPlace> returns;
  /// Of a kernel's frame: bytes that a warp's have whatever the block is, in their order.
  std::vector<Place> launch_places;
  /// Whether a register at `slot` is among these.
  [[nodiscard]] bool lasts_for_launch(std::int32_t slot) const {
    return std::ranges::binary_search(launch_places, slot, {}, &Place::slot);
  }
  /// The one of the uniform places that has the byte; null where there is none.
  [[nodiscard]] const Place* uniform_place(std::int32_t slot) const {
    const auto next = std::ranges::upper_bound(uniform_places, slot, {}, &Place::slot);
    if (next == uniform_places.begin()) return nullptr;
    const Place& place = *std::prev(next);
    return slot < place.slot + static_cast<std::int32_t>(place.bytes) ? &place : nullptr;
  }
  bool uses_barriers = false;
  /// Some instruction makes the result depend on the order in which blocks run.
  bool order_sensitive = false;
  /// It starts asynchronous copies, or waits at mbarriers or the cluster's barrier.
  bool asynchronous = false;
  /// A register may be read before it is written, so a frame's registers start as zero.
  bool reads_unset_registers = false;
  /// Registers are read by instructions alone: native code drops a value that none reads any more.
  bool may_drop_values = false;

  /// An experiment: a load and the store after it that the lanes of a warp do in turn, by the
  /// index of the load (serialized_lanes.h).
  struct InTurn {
    Handler load = nullptr;  // the load's own handler
    const Inst* end = nullptr;  // after the store
  };
  std::unordered_map<std::uint32_t, InTurn> in_turn;

  /// Of code with wgmma: what else touches its registers (group_registers.h); null without.
  std::shared_ptr<const struct GroupRegisters> group_registers;

  // Owned operands of instructions.
  std::vector<std::unique_ptr<CallOperands>> call_sites;
  std::vector<std::unique_ptr<VectorOperand>> vectors;
  std::vector<std::unique_ptr<BranchTable>> tables;
  std::vector<std::unique_ptr<AsyncOperands>> async_operands;
  std::vector<std::unique_ptr<std::string>> messages;

  std::vector<std::uint32_t> variable_offsets;  // by function->variables: in the local frame
  std::unique_ptr<NativeProgram> native;  // null: all of it is interpreted
};

}  // namespace warpsim
