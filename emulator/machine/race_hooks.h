#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "emulator/findings/finding.h"
#include "emulator/isa/inst.h"
#include "emulator/machine/observer.h"

// What the machine tells the race checker. The machine declares it and checkers/races/ defines it:
// the machine knows none of the checker's types. Callers first check whether there is a checker:
// `block.races`, `launch.races` and `cluster.races` are null when races are not checked. What is
// documented to do nothing then may be called anyway. Accesses and fences come by
// machine/observer.h.

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

// -- a launch and its blocks (races/races.cpp) ----------------------------------------------------

/// What a worker remembers of a program's instructions.
[[nodiscard]] std::shared_ptr<RaceMemo[]> make_race_memos(std::size_t instructions);

/// Nothing happens without a checker.
void race_start_block(BlockContext& block);
void race_finish_block(BlockContext& block);

/// A race, and whose accesses it has.
struct RaceFound {
  Finding finding;
  bool shared = false;  // in shared memory
  std::uint64_t address = 0;  // of a common byte: a device address, or an offset of shared memory
  std::uint64_t first_block = 0, second_block = 0;  // first and second: as the emulator ran them
  std::uint32_t first_warp = 0, second_warp = 0;
  std::uint32_t first_lane = 0, second_lane = 0;
  std::uint32_t second_instruction = 0;  // its index in its program
};
/// A conflict of a thread of a running block, as the finding that the launch's end reports, if the
/// last one is new. Nothing without a checker.
/// @param known  how many conflicts of the block the caller knows of; is set to all
[[nodiscard]] std::optional<RaceFound> race_found_since(const BlockContext& block,
                                                        std::size_t& known);
/// Conflicts of threads of different blocks, of a launch whose blocks have all ended, in the order
/// in which they were found. Empty without a checker.
[[nodiscard]] std::vector<RaceFound> races_between_blocks(const LaunchState& launch);

/// Threads arrive at a block barrier, and a barrier is complete.
/// @param whole  it was a barrier of all threads that live
void race_arrive(WarpContext& context, std::uint32_t id, bool whole);
void race_release(BlockContext& block, std::uint32_t id, bool whole);

/// The lanes in `members` met at a `.sync` instruction of their warp.
void race_sync_lanes(WarpContext& context, std::uint32_t members);

// -- asynchronous copies and mbarriers (races/async.cpp) ------------------------------------------
//
// Nothing happens without a checker. A copy's bytes may be written at any time between the
// instruction and the wait for it. So it counts as a store of its thread when it is issued, which
// other threads' earlier accesses have to be ordered before, and once more when its thread has
// waited, which later ones have to be ordered after. What is read in between is found by the
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

/// What lanes have done until some moment, for a thread that acquires it; null without a checker.
using Brought = std::shared_ptr<const VectorClock>;
/// Until now.
[[nodiscard]] Brought race_release(WarpContext& context, std::uint32_t lanes);

/// What a bulk copy brings to a thread that waits for it.
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
