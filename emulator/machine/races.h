#pragma once

#include <cstdint>
#include <deque>
#include <mutex>

#include "emulator/checkers/race_block.h"
#include "emulator/checkers/race_grid.h"
#include "emulator/machine/context.h"
#include "emulator/machine/race_hooks.h"

// The race checker's side of a launch, and what the scheduler tells it. Call these only when the
// block has a checker (`block.races != nullptr`).

namespace warpsim {

/// A static memory instruction and what its modifiers mean for the memory model.
struct RaceSite {
  const Program* program = nullptr;
  const Inst* inst = nullptr;
  std::uint32_t number = 0;
  std::uint32_t traits = 0;  // AccessTrait, without kWriteAccess
  bool releases = false;
  bool constant = false;  // reads what no kernel writes
  bool device = true;  // scope of an atomic or a fence: more than the block
};

/// The part of the race checker that all blocks of a launch share.
struct LaunchRaces {
  /// Blocks of the kernel can wait for each other: it runs on one host thread, and what blocks do
  /// is compared as they go on. Else nothing orders two blocks, and they are compared as they end.
  bool blocks_meet = false;
  /// Shared memory that cooperative groups use for themselves: they synchronise there by means of
  /// their own.
  std::uint32_t reserved_begin = 0, reserved_end = 0;
  SyncPlaces places;  // global memory
  GridLines grid;
  ConflictLog among_blocks;  // what the grid's lines found
  std::mutex mutex;  // of what follows
  std::deque<RaceSite> sites;  // by number
  ConflictLog conflicts;  // within blocks; in the end, all
};

/// Threads arrive at a block barrier, and a barrier is complete.
/// @param whole  it was a barrier of all threads that live
void race_arrive(WarpContext& context, std::uint32_t id, bool whole);
void race_release(BlockContext& block, std::uint32_t id, bool whole);

/// A warp learns of others' accesses. What its block did before was done without.
void race_learn(BlockContext& block, std::uint32_t warp, const Knowledge& what);

void race_start_block(BlockContext& block);
void race_finish_block(BlockContext& block);
/// All blocks have ended: `conflicts` gets what was found among them.
void race_finish_launch(LaunchRaces& launch);

/// Turns a launch's conflicts into findings (race_report.cpp).
void report_conflicts(LaunchState& launch);

}  // namespace warpsim
