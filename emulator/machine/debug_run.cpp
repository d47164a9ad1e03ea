#include "emulator/machine/block.h"
#include "emulator/machine/context.h"
#include "emulator/machine/debugger.h"

// How blocks and warps run under a debugger: as they do without one, but that it is asked before
// each instruction, and which warp of a block runs next.

namespace warpsim {
namespace {

/// Ends the run that the split has made so far, for others to run.
const Inst* stop_before(WarpContext& context, const Inst* pc) {
  if (pc != context.run_start) account(context, pc[-1]);
  context.splits[context.current].pc = pc;
  context.preempted = true;
  return kStop;
}

bool wants_to_be_asked(Debugger& debugger, WarpContext& context, const Inst& in) {
  if (debugger.executed >= debugger.ask_at.load(std::memory_order_relaxed)) return true;
  ProgramTables& tables = *context.tables;
  if (tables.marks == nullptr) tables.marks = debugger.marks(*context.tables_of);
  return tables.marks[in.index] != 0;
}

void begin_block(BlockContext& block) {
  for (const auto& warp : block.warps) start_warp(*warp);
  block.begun = block.launch->warps_per_block;
  if (!block.launch->debugger->block_begins(block)) return;
  for (const auto& warp : block.warps) warp->slow |= kDebugged;
}

bool any_ready(const BlockContext& block) {
  for (const auto& warp : block.warps) {
    if (has_ready_group(*warp)) return true;
  }
  return false;
}

Slice run_warps(BlockContext& block) {
  const LaunchState& launch = *block.launch;
  Debugger& debugger = *launch.debugger;
  for (;;) {
    bool progressed = false;
    for (std::size_t i = 0; i < block.warps.size(); ++i) {
      WarpContext& turn = *block.warps[i];
      if (!has_ready_group(turn)) continue;
      WarpContext& chosen = debugger.choose(block, turn);
      if (launch.stopped(block.linear)) return Slice::finished;
      run_warp(chosen);
      if (launch.stopped(block.linear)) return Slice::finished;
      progressed = progressed || chosen.preempted || !has_ready_group(chosen);
      // The turn is not over when another one was preferred, or when it gave way to another one.
      if (&chosen != &turn || turn.preempted) --i;
    }
    if (block.live_threads == 0) return Slice::finished;
    if (!any_ready(block)) return Slice::stuck;
    if (!progressed) return Slice::waiting;
  }
}

}  // namespace

const Inst* run_debugged(WarpContext& context, const Inst* pc) {
  Debugger& debugger = *context.block->launch->debugger;
  debugger.warp = &context;
  while (pc < context.slow_stop) {
    debugger.at = pc;
    if (wants_to_be_asked(debugger, context, *pc)) [[unlikely]] {
      if (!debugger.goes_on(context, *pc)) return stop_before(context, pc);
    }
    ++debugger.executed;
    pc = (context.slow & kFollowed) != 0 ? context.follower->execute(context, *pc)
                                         : pc->run(context.warp, *pc);
  }
  return pc;
}

Slice run_debugged_block(BlockContext& block) {
  if (block.begun == 0) begin_block(block);
  const Slice slice = run_warps(block);
  if (slice == Slice::finished) block.launch->debugger->block_ends(block);
  return slice;
}

}  // namespace warpsim
