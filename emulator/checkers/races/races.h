#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "emulator/checkers/races/block.h"
#include "emulator/checkers/races/block_waits.h"
#include "emulator/checkers/races/grid.h"
#include "emulator/checkers/races/site.h"
#include "emulator/machine/address.h"
#include "emulator/machine/context.h"
#include "emulator/machine/observer.h"
#include "emulator/machine/virtual_memory.h"

// The race checker: what it follows, and what it keeps of a launch.

namespace warpsim {

/// Accesses to another block's shared memory that the block, when it ended, had not waited for: the
/// first of each instruction, and how many there were.
struct LateAccess {
  Epoch epoch;
  std::uint64_t block = 0;
  std::uint64_t owner_block = 0;
  std::uint64_t count = 0;
};
using LateAccesses = std::map<std::uint32_t, LateAccess>;  // by site

/// The part of the race checker that all blocks of a launch share.
struct LaunchRaces {
  /// @param blocks  of a cluster
  /// @param kept_bytes  for loads that are kept, and as much for how their lanes lie
  LaunchRaces(std::uint32_t blocks, std::size_t kept_bytes)
      : cluster_blocks(blocks),
        grid(blocks, kept_bytes),
        most_places(kept_bytes / sizeof(LoadPlaces)) {}
  /// Blocks of the kernel may learn of each other (learning.h): it runs on one host thread, and
  /// what blocks do is compared as they go on. Else nothing orders two blocks, and they are
  /// compared as they end.
  bool blocks_may_wait = false;
  std::uint32_t cluster_blocks;
  /// Shared memory that cooperative groups use for themselves: they synchronise there by means of
  /// their own.
  std::uint32_t reserved_begin = 0, reserved_end = 0;
  /// Shared memory of which a block's own shadow is not told: the reserved part, or all, where the
  /// blocks of a cluster share it and their lines have it (see race_cluster.h).
  std::uint32_t aside_begin = 0, aside_end = 0;
  /// What counts of a shared address: all, or without the rank where that is always this block's.
  std::uint32_t offset_mask = kClusterStride - 1;
  /// Global memory that the program has mapped at several addresses. The lowest one stands for all,
  /// so that accesses to the same bytes meet.
  std::vector<VirtualMemory::Alias> aliases;
  SyncPlaces places;  // global memory
  GridLines grid;
  const std::size_t most_places;  // in load_places
  ConflictLog among_blocks;  // what the grid's lines found
  std::mutex mutex;  // of what follows
  std::deque<RaceSite> sites;  // by number
  std::deque<LoadPlaces> load_places;
  ConflictLog conflicts;  // within blocks; in the end, all
  LateAccesses late;
  std::unique_ptr<BlockWaits> waits;  // null: no block can wait in vain
};

inline LaunchRaces& races_of(const LaunchState& launch) {
  return *launch.slots.get<LaunchRaces>(kRaceSlot);
}

class RaceChecker final : public Observer {
 public:
  // races.cpp
  Follows begin_launch(LaunchState& launch) override;
  /// Blocks are compared as they go on where one can learn of another.
  [[nodiscard]] bool needs_one_thread(const LaunchState& launch) const override;
  void end_launch(LaunchState& launch) override;
  void access(WarpContext& context, const MemoryAccess& access) override;
  void load(WarpContext& context, const Inst& in, ptx::Space space, std::uint64_t first,
            const LaneShape& shape) override;
  void store(WarpContext& context, const Inst& in, ptx::Space space, std::uint64_t first,
             const LaneShape& shape, const StoredValues& values) override;
  void loads(WarpContext& context, LoadSeries& series,
             std::size_t count) override;  // load_series.cpp
  void fence(WarpContext& context, const Inst& in) override;
  void make_tables(ProgramTables& tables, const Program& program) override;
  void start_block(BlockContext& block) override;
  void finish_block(BlockContext& block) override;
  void arrive(WarpContext& context, std::uint32_t id) override;
  void complete(BlockContext& block, std::uint32_t id, bool whole) override;
  void meet(WarpContext& context, std::uint32_t members) override;
  // memory_uses.cpp
  void add_results(const LaunchState& launch, const LaunchRequest& request,
                   LaunchResult& result) override;
  // async.cpp
  void copy(WarpContext& context, const Inst& in, const std::uint64_t* to,
            const std::uint64_t* from, std::uint32_t lanes, std::uint32_t reading,
            std::uint32_t width) override;
  void copy_landed(WarpContext& context, const CopyBatch& batch, std::uint32_t lanes) override;
  void bulk_begin(WarpContext& context) override;
  void bulk(WarpContext& context, const Inst& in, std::size_t lane, std::uint64_t start,
            std::uint32_t bytes, AccessType type) override;
  void bulk_issued(WarpContext& context, std::size_t lane, ObserverSlots& here,
                   ObserverSlots& elsewhere) override;
  void release(WarpContext& context, std::uint32_t lanes, ObserverSlots& brought) override;
  void mbarrier_init(BlockContext& block, std::uint32_t offset) override;
  void mbarrier_arrive(BlockContext& block, std::uint32_t offset,
                       const ObserverSlots& brought) override;
  void mbarrier_arrive_by(WarpContext& context, const Inst& in, BlockContext& owner,
                          std::uint32_t offset, const ObserverSlots& brought) override;
  void mbarrier_complete(BlockContext& block, std::uint32_t offset) override;
  void mbarrier_wait(WarpContext& context, BlockContext& owner, std::uint32_t offset) override;
  // cluster.cpp
  void mbarrier_use(WarpContext& context, const Inst& in, const BlockContext& owner,
                    std::uint32_t offset, std::uint32_t lanes) override;
  void start_cluster(Cluster& cluster) override;
  void finish_cluster(Cluster& cluster) override;
  void cluster_arrive(WarpContext& context, const Inst& in, bool waits_next) override;
  void cluster_complete(Cluster& cluster) override;
  void cluster_wait(WarpContext& context) override;
  void cluster_leave(WarpContext& context, std::uint32_t lanes) override;
};

/// Lanes are about to access shared memory.
/// @param offset  32 offsets in shared memory, which may name a block of the cluster
/// @param values  of a store, else null; its lanes' memory still holds what was there
void race_shared(WarpContext& context, const Inst& in, const std::uint32_t* offset,
                 std::uint32_t lanes, std::uint32_t width, AccessType type,
                 const StoredValues* values);
/// Likewise of global memory. @param address  32 device addresses
void race_global(WarpContext& context, const Inst& in, const std::uint64_t* address,
                 std::uint32_t lanes, std::uint32_t width, AccessType type,
                 const StoredValues* values);
/// Likewise of generic addresses, of any window.
void race_generic(WarpContext& context, const Inst& in, const std::uint64_t* address,
                  std::uint32_t lanes, std::uint32_t width, AccessType type,
                  const StoredValues* values);

/// Moves what one log has to the end of another.
void add_conflicts(ConflictLog& from, ConflictLog& to);

/// Turns a launch's conflicts into findings (report.cpp).
void report_conflicts(LaunchState& launch);

[[nodiscard]] std::unique_ptr<Observer> make_race_checker();

}  // namespace warpsim
