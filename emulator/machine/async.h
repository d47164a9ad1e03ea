#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "emulator/machine/access.h"
#include "emulator/machine/context.h"

// What a block has under way besides its instructions: asynchronous copies and the mbarriers that
// say when they are done.
//
// A copy is made as late as the program allows: when its thread waits for it, or when a wait for
// its mbarrier would fail. Until then the bytes at its destination are "in flight": their shadow is
// kInFlight, so that the memory handlers' test for written bytes fails and check_written() sees
// them. A program that reads too early thus gets the old bytes, and a finding.

namespace warpsim {

/// Shadow value of bytes in shared memory that a copy will write.
constexpr std::uint8_t kInFlight = 2;

/// Who started something, for findings that are made later.
struct AsyncSite {
  const WarpContext* warp = nullptr;
  const Program* program = nullptr;
  const Inst* in = nullptr;
  std::uint32_t lanes = 0;
  std::uint64_t executed = 0;
};

/// One cp.async of a warp.
struct CopyBatch {
  AsyncSite site;
  std::uint64_t number = 0;  // of the warp's copies, counting up
  std::uint32_t lanes = 0;  // whose bytes are in flight
  std::uint32_t width = 0;  // bytes per lane
  std::array<std::uint32_t, kWarpSize> group = {};  // the lane's commit group
  std::array<std::uint32_t, kWarpSize> to = {};  // offset in shared memory
  std::array<const std::byte*, kWarpSize> from = {};
  std::array<std::uint8_t, kWarpSize> source_bytes = {};  // read; the rest of width is zeros
  std::array<std::array<std::byte, 16>, kWarpSize> issued = {};  // the source when it was issued
};

enum class BulkReduction : std::uint8_t { none, add, min, max, inc, dec, bit_and, bit_or, bit_xor };
enum class BulkType : std::uint8_t { u32, s32, u64, s64, f32, f64, f16, bf16 };

/// One cp.async.bulk or cp.reduce.async.bulk of a thread. Its destination is shared memory of a
/// block of the cluster, or global memory.
struct BulkCopy {
  AsyncSite site;
  std::uint32_t bytes = 0;
  std::uint32_t padding = 0;  // of these, bytes that stay as they are and are not announced
  const std::byte* from = nullptr;
  std::byte* to = nullptr;
  BlockContext* to_block = nullptr;  // null: global
  std::uint64_t to_address = 0;  // global
  std::vector<std::byte> issued;  // the source when it was issued
  BulkReduction reduction = BulkReduction::none;
  BulkType type = BulkType::u32;
  std::uint32_t lane = 0;  // bulk groups
  std::uint32_t group = 0;
};

/// What completes together with a phase of an mbarrier: a bulk copy's bytes, or the arrival of
/// threads whose earlier cp.async are done.
struct Deferred {
  std::uint32_t barrier = 0;  // offset of the mbarrier in its block
  std::unique_ptr<BulkCopy> copy;  // null: an arrival
  WarpContext* warp = nullptr;  // arrival: of these lanes of this warp,
  std::uint32_t lanes = 0;
  std::uint64_t before = 0;  // when its copies with smaller numbers are there
  std::uint64_t phase = 0;  // copy: that the mbarrier was in when the copy was issued
  AsyncSite site;
  ObserverSlots brought = {};  // what observers know that threads learn which wait for the phase
};

struct Mbarrier {
  std::uint64_t value = 0;  // what its 8 bytes must hold
  std::uint64_t phases = 0;  // completed since it was initialised
};

struct GroupState;  // group_state.h

struct WarpAsync {
  std::vector<CopyBatch> batches;  // oldest first
  std::uint64_t copies = 0;  // number of the next
  std::array<std::uint32_t, kWarpSize> open_group = {};  // copies join it until it is committed
  std::vector<BulkCopy> bulk;  // that bulk groups wait for, oldest first
  std::array<std::uint32_t, kWarpSize> open_bulk_group = {};
  std::uint32_t at_cluster = 0;  // lanes that arrived at the cluster barrier and did not wait yet
  std::array<std::uint64_t, kWarpSize> cluster_phase = {};  // in which they arrived
  std::shared_ptr<GroupState> groups;  // of wgmma; made at its first use
};

/// Where the copy engine has put a box of an array, and how it has swizzled it.
struct TensorBox {
  std::uint32_t begin = 0, end = 0;  // offsets in shared memory
  std::uint32_t swizzle = 0;  // bytes
};

struct AsyncState {
  std::vector<WarpAsync> warps;
  std::map<std::uint32_t, Mbarrier> mbarriers;  // by offset in shared memory
  std::vector<Deferred> deferred;  // for mbarriers of this block, oldest first
  std::vector<TensorBox> boxes;  // that do not overlap
  /// mbarriers at which copies from global memory arrived, with the phase of the last one.
  std::map<std::uint32_t, std::uint64_t> copied;
  std::uint64_t copied_phases = 0;
  std::uint64_t copy_waits = 0;  // this block's part of KernelCounters::copy_waits
};

[[nodiscard]] AsyncState& async_of(BlockContext& block);
[[nodiscard]] WarpAsync& async_of(WarpContext& context);
[[nodiscard]] AsyncSite site_of(const WarpContext& context, const Inst& in, std::uint32_t lanes);

/// As finding_at of an instruction, for one that was executed earlier.
[[nodiscard]] Finding finding_at(const AsyncSite& site, FindingKind kind);

/// Generic addresses of all lanes.
void generic_addresses(const Warp& warp, const AddressOperand& operand, std::uint64_t* address);

// -- copies (async_copy.cpp, bulk_copy.cpp) -------------------------------------------------------

/// Makes the copies of `lanes` whose number is below `before`.
void deliver_batches(WarpContext& context, std::uint32_t lanes, std::uint64_t before);
/// Moves a bulk copy's bytes.
void deliver(BulkCopy& copy);
/// Marks shared bytes as being in flight and reports those that already are.
void put_in_flight(BlockContext& block, std::uint32_t offset, std::uint32_t bytes,
                   const AsyncSite& site);
/// Marks them as written; reports when another access wrote to them meanwhile.
void land(BlockContext& block, std::uint32_t offset, std::uint32_t bytes, const AsyncSite& site);

// -- mbarriers (mbarrier.cpp) ---------------------------------------------------------------------

/// How many phases of an mbarrier have completed since it was initialised.
[[nodiscard]] std::uint64_t completed_phases(BlockContext& block, std::uint32_t barrier);
/// Does what is deferred for one mbarrier, until its phase is complete: a copy whose bytes were not
/// announced for this phase stays in flight. @returns false when there was nothing
bool complete_deferred(BlockContext& block, std::uint32_t barrier);
/// The block's bytes arrive at its mbarrier.
void complete_transaction(BlockContext& block, std::uint32_t barrier, std::uint32_t bytes,
                          const AsyncSite& site);
/// Lets splits that wait at mbarriers of the block look again.
void wake_mbarrier_waiters(BlockContext& block);
/// "phase 3 of the mbarrier `full`: 1 of 2 arrivals and 512 bytes are missing"
[[nodiscard]] std::string describe_mbarrier_wait(const WarpContext& context,
                                                 const WarpSplit& split);

// -- what the scheduler calls (async.cpp) ---------------------------------------------------------

/// Does everything that is deferred in the cluster. @returns false when there was nothing
bool complete_copies(Cluster& cluster);
/// Lets waits at mbarriers fail once: a test may, and the program may have other things to do.
/// @returns false when no thread waits there, or they have been let fail too often without any
/// change
bool expire_waits(Cluster& cluster, bool limited);
/// After its last thread: finishes the copies from its shared memory.
void end_block(BlockContext& block);

}  // namespace warpsim
