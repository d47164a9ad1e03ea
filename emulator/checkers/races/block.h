#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "emulator/checkers/list.h"
#include "emulator/checkers/races/grid.h"
#include "emulator/checkers/races/lines.h"
#include "emulator/checkers/races/log.h"
#include "emulator/checkers/races/order.h"
#include "emulator/checkers/races/shared.h"
#include "emulator/machine/context.h"

namespace warpsim {

/// What was published through a word: a strong write after a fence releases, and a thread that
/// reads the word with a strong read acquires.
struct SyncPlace {
  struct Published {
    VectorClock what;
    bool fenced = false;  // it is what the writer's fences published, and nothing else
  };
  Published device;
  VectorClock reads;  // of a store without a fence
  VectorClock cluster;  // for threads of the cluster of the block that wrote last
  Published block;  // for threads of that block
  std::uint64_t writer = 0;  // that block
  VectorClock intended;  // for threads that a larger scope would have reached
  // The last write that published, not part of the above: without it, what a warp publishes in many
  // places is one value.
  BlockClock::Part last;
  bool last_for_device = false, last_for_cluster = false;

  [[nodiscard]] VectorClock last_write() const;
};
using SyncPlaces = std::unordered_map<std::uint64_t, SyncPlace>;  // by address

/// What the threads that arrive at a barrier bring, and what the threads that wait for it learn.
struct PhaseClock {
  VectorClock arriving;  // in the phase that goes on
  VectorClock completed;  // in those that are over
  // Further accesses of which only the reads are known: of arrivals that release nothing.
  VectorClock arriving_reads, completed_reads;
};

/// A block as one of its cluster.
struct ClusterMember {
  // Its accesses to shared memory of the cluster's blocks, its own included, where there are
  // several.
  BlockLines lines;
  ConflictLog conflicts;  // among its own threads, in these
  // Accesses that its threads knew of when they ended.
  VectorClock known_at_end, reads_known_at_end;
  // The cluster's barrier: threads that arrived, those that have not passed it yet, the moment
  // when all had arrived, and whether a thread did something else between arriving and waiting.
  std::uint32_t arrived = 0;
  std::uint32_t to_pass = 0;
  std::uint32_t completed_at = 0;
  bool split = false;

  void start() {
    known_at_end = reads_known_at_end = VectorClock();
    arrived = to_pass = completed_at = 0;
    split = false;
  }
};

/// All that the race checker knows of a running block.
struct BlockRaces {
  BlockOrder order;
  SharedShadow shared;
  BlockLines lines;
  SyncPlaces shared_places;
  std::array<VectorClock, 16> barriers;  // brought by those who arrived, for barriers of a part
  std::unordered_map<std::uint32_t, PhaseClock> mbarriers;  // by offset in shared memory
  ConflictLog conflicts;
  ClusterMember member;
  // It waited for a block that need not have started; it drew a number (machine/block_waits.h).
  bool waits = false, draws = false;
};

/// The part of the race checker that the blocks of a cluster share. Their shared memory is one
/// space, in which the block of rank r has what begins at r * kClusterStride.
struct ClusterRaces {
  explicit ClusterRaces(std::uint32_t blocks) : lines(blocks) {}
  PhaseClock barrier;
  SyncPlaces places;
  GridLines lines;
  ConflictLog conflicts;  // among blocks, which the lines found
};

/// What the race checker keeps with a block and a cluster; it follows their launch.
inline BlockRaces& races_of(const BlockContext& block) {
  return *block.slots.get<BlockRaces>(kRaceSlot);
}
inline ClusterRaces& races_of(const Cluster& cluster) {
  return *cluster.slots.get<ClusterRaces>(kRaceSlot);
}

}  // namespace warpsim
