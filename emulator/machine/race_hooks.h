#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "emulator/isa/inst.h"
#include "emulator/machine/faults.h"

// What the machine tells the race checker. The machine declares it and checkers/races/ defines it:
// the machine knows none of the checker's types. Who calls looks first whether there is a checker:
// `block.races`, `launch.races` and `cluster.races` are null when races are not checked. What is
// said to do nothing then may be called anyway.

namespace warpsim {

struct BlockContext;
struct Cluster;
struct CopyBatch;
struct LaneShape;
struct LaunchRaces;
struct LaunchState;
struct RaceMemo;
struct WarpContext;
class VectorClock;

/// What the lanes of a warp store, as registers: up to four elements of equal size a lane.
struct StoredValues {
  const std::byte* registers[4] = {};  // 32 lanes of `register_bytes` each
  std::uint32_t count = 0;  // elements
  std::uint32_t register_bytes = 0;
  std::uint32_t element_bytes = 0;

  /// One byte of what a lane stores.
  [[nodiscard]] std::byte byte(std::size_t lane, std::size_t index) const {
    return registers[index / element_bytes][lane * register_bytes + index % element_bytes];
  }
};

// -- a launch and its blocks (races/races.cpp) ----------------------------------------------------

/// Makes the launch's part, before the launch runs.
/// @param blocks_may_wait  blocks of the kernel can wait for each other
[[nodiscard]] std::shared_ptr<LaunchRaces> start_races(const LaunchState& launch,
                                                       bool blocks_may_wait);
/// Whether blocks are compared as they go on, for which they have to run on one host thread.
[[nodiscard]] bool races_need_one_thread(const LaunchState& launch);
/// Watches for blocks that wait for others which may not have started. The launch is serial.
void race_watch_waits(LaunchState& launch);
/// All blocks have ended: logs what was found.
void race_finish_launch(LaunchState& launch);
/// What a worker remembers of a program's instructions.
[[nodiscard]] std::shared_ptr<RaceMemo[]> make_race_memos(std::size_t instructions);

/// Nothing happens without a checker.
void race_start_block(BlockContext& block);
void race_finish_block(BlockContext& block);

/// Threads arrive at a block barrier, and a barrier is complete.
/// @param whole  it was a barrier of all threads that live
void race_arrive(WarpContext& context, std::uint32_t id, bool whole);
void race_release(BlockContext& block, std::uint32_t id, bool whole);

// -- memory (races/races.cpp) ---------------------------------------------------------------------

/// Lanes are about to access shared memory. The launch's checks and bounds are settled.
/// @param offset  32 offsets in shared memory
/// @param values  of a store, else null; its lanes' memory still holds what was there
void race_shared(WarpContext& context, const Inst& in, const std::uint32_t* offset,
                 std::uint32_t lanes, std::uint32_t width, AccessType type,
                 const StoredValues* values);

/// The same for addresses that may name a block of the cluster (kClusterStride).
/// @param address  32 of them, relative to the shared window
void race_shared_window(WarpContext& context, const Inst& in, const std::uint64_t* address,
                        std::uint32_t lanes, std::uint32_t width, AccessType type,
                        const StoredValues* values);

/// The same for a weak load of lanes that have a shape. @param first  the first active lane's
/// offset
void race_shared_load(WarpContext& context, const Inst& in, std::uint32_t first,
                      const LaneShape& shape, std::uint32_t width);
/// The same for a store of lanes that have a shape.
void race_shared_store(WarpContext& context, const Inst& in, std::uint32_t first,
                       const LaneShape& shape, std::uint32_t width, const StoredValues& values);

/// Likewise of global memory. @param address  32 device addresses
void race_global(WarpContext& context, const Inst& in, const std::uint64_t* address,
                 std::uint32_t lanes, std::uint32_t width, AccessType type,
                 const StoredValues* values);
/// The same for a weak load or store of lanes that have a shape.
/// @param first  the first active lane's address
/// @param address  32 device addresses, of a store; else null, as `values`
void race_global(WarpContext& context, const Inst& in, std::uint64_t first, const LaneShape& shape,
                 std::uint32_t width, const std::uint64_t* address, const StoredValues* values);
/// Likewise of generic addresses, of any window.
void race_generic(WarpContext& context, const Inst& in, const std::uint64_t* address,
                  std::uint32_t lanes, std::uint32_t width, AccessType type,
                  const StoredValues* values);

/// Lanes execute membar or fence.
void race_fence(WarpContext& context, const Inst& in);

/// The lanes in `members` met at a `.sync` instruction of their warp.
void race_sync_lanes(WarpContext& context, std::uint32_t members);

// -- asynchronous copies and mbarriers (races/async.cpp) ------------------------------------------
//
// Nothing happens without a checker. A copy's bytes may be written at any time between the
// instruction and the wait for it. So it counts as a store of its thread when it is issued, which
// other threads' earlier accesses have to be ordered before, and once more when its thread has
// waited, which later ones have to be ordered behind. What is read in between is found by the
// bytes' being in flight.

/// Lanes issue cp.async. @param to  32 offsets in shared memory  @param from  32 global addresses
/// @param reading  lanes that read the source; the others write zeros
void race_copy(WarpContext& context, const Inst& in, const std::uint64_t* to,
               const std::uint64_t* from, std::uint32_t lanes, std::uint32_t reading,
               std::uint32_t width);
/// Lanes have waited for their part of it.
void race_copy_landed(WarpContext& context, const CopyBatch& batch, std::uint32_t lanes);
/// A lane is about to issue a bulk copy: what follows is a moment of its own.
void race_bulk_begin(WarpContext& context);
/// One side of it. @param start  generic
void race_bulk(WarpContext& context, const Inst& in, std::size_t lane, std::uint64_t start,
               std::uint32_t bytes, AccessType type);

/// What lanes have done until some moment, for who acquires it; null without a checker.
using Brought = std::shared_ptr<const VectorClock>;
/// Until now.
[[nodiscard]] Brought race_release(WarpContext& context, std::uint32_t lanes);

/// What a bulk copy brings to who waits for it.
struct CopyBrings {
  Brought here;  // in the block that issued it: what its thread did until then, too
  Brought elsewhere;  // in another block: the copy itself, as its completion releases nothing
};
[[nodiscard]] CopyBrings race_bulk_issued(WarpContext& context, std::size_t lane);

/// An mbarrier of the block begins; what was deferred for it arrives, or a thread with `in`, of
/// this block or another; its phase completes; a warp has waited for that.
void race_mbarrier_init(BlockContext& block, std::uint32_t offset);
void race_mbarrier_arrive(BlockContext& block, std::uint32_t offset, const Brought& brought);
void race_mbarrier_arrive(WarpContext& context, const Inst& in, BlockContext& block,
                          std::uint32_t offset, const Brought& brought);
void race_mbarrier_complete(BlockContext& block, std::uint32_t offset);
void race_mbarrier_wait(WarpContext& context, BlockContext& block, std::uint32_t offset);

// -- clusters (races/cluster.cpp) -----------------------------------------------------------------

/// The blocks of a cluster of several have started; all blocks of one have ended or stopped.
void race_start_cluster(Cluster& cluster);
void race_finish_cluster(Cluster& cluster);

/// The active lanes arrive at the cluster's barrier with `in`, everybody has, and lanes have waited
/// for that. @param waits_next  they do nothing before they wait
void race_cluster_arrive(WarpContext& context, const Inst& in, bool waits_next);
void race_cluster_complete(Cluster& cluster);
void race_cluster_wait(WarpContext& context);
/// Lanes end. The cluster's barrier does not wait for them any more.
void race_cluster_leave(WarpContext& context, std::uint32_t lanes);
/// Lanes use an mbarrier of another block, which must be there to be used.
void race_cluster_mbarrier(WarpContext& context, const Inst& in, const BlockContext& owner,
                           std::uint32_t offset, std::uint32_t lanes);

}  // namespace warpsim
