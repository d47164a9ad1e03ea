#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "emulator/checkers/races/block.h"
#include "emulator/checkers/races/block_waits.h"
#include "emulator/checkers/races/grid.h"
#include "emulator/checkers/races/site.h"
#include "emulator/machine/address.h"
#include "emulator/machine/checker.h"
#include "emulator/machine/context.h"
#include "emulator/machine/race_hooks.h"

// The race checker's side of a launch. What the machine tells it is in machine/observer.h and
// machine/race_hooks.h.

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
  explicit LaunchRaces(std::uint32_t blocks) : cluster_blocks(blocks), grid(blocks) {}
  /// Blocks of the kernel can wait for each other: it runs on one host thread, and what blocks do
  /// is compared as they go on. Else nothing orders two blocks, and they are compared as they end.
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
  SyncPlaces places;  // global memory
  GridLines grid;
  ConflictLog among_blocks;  // what the grid's lines found
  std::mutex mutex;  // of what follows
  std::deque<RaceSite> sites;  // by number
  ConflictLog conflicts;  // within blocks; in the end, all
  LateAccesses late;
  std::unique_ptr<BlockWaits> waits;  // null: no block can wait in vain
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

[[nodiscard]] std::unique_ptr<Checker> make_race_checker();

}  // namespace warpsim
