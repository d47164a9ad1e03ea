#include <fmt/format.h>

#include <bit>

#include "emulator/changes/changes.h"
#include "emulator/machine/added_barrier.h"
#include "emulator/machine/change_code.h"
#include "emulator/machine/context.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/tell.h"

// Block-wide barriers. As on hardware since Volta a barrier counts threads, and threads that have
// exited are not waited for.

namespace warpsim {
namespace {

std::uint32_t expected_threads(const BlockContext& block, const Barrier& barrier) {
  return barrier.expected == 0 ? block.live_threads : barrier.expected;
}

bool reduces(const Inst& in) {
  return static_cast<BarrierReduction>(in.aux) != BarrierReduction::none;
}

/// Writes bar.red's result to the lanes of a released split.
[[gnu::noinline]] void store_reduction(WarpContext& context, const WarpSplit& split,
                                       const Barrier& barrier) {
  const Inst& in = split.pc[-1];
  std::byte* window = context.registers.data() + split.frame->window;
  switch (static_cast<BarrierReduction>(in.aux)) {
    case BarrierReduction::none:
      return;
    case BarrierReduction::popc: {
      auto* d = reinterpret_cast<std::uint32_t*>(window + in.d);
      for (int lane = 0; lane < kWarpSize; ++lane) {
        if ((split.mask >> lane) & 1) d[lane] = barrier.reduce_count;
      }
      return;
    }
    case BarrierReduction::all:
    case BarrierReduction::any: {
      const bool all = static_cast<BarrierReduction>(in.aux) == BarrierReduction::all;
      const bool value = all ? barrier.reduce_and : barrier.reduce_or;
      auto& p = *reinterpret_cast<std::uint32_t*>(window + in.d);
      p = value ? p | split.mask : p & ~split.mask;
      return;
    }
  }
}

/// True for a barrier of the whole block, and not of a part that may happen to be all that is left.
bool is_whole(const BlockContext& block, const Barrier& barrier) {
  return barrier.expected == 0 || barrier.expected >= block.launch->threads_per_block;
}

/// Lets those splits of a warp go on that wait at a barrier.
[[gnu::noinline]] void release_groups(WarpContext& context, std::uint32_t id,
                                      const Barrier& barrier) {
  for (WarpSplit& split : context.splits) {
    if (split.state != WarpSplit::State::at_barrier || split.barrier != id) continue;
    if (barrier.reduces) store_reduction(context, split, barrier);
    split.state = WarpSplit::State::ready;
  }
}

void release(BlockContext& block, std::uint32_t id) {
  Barrier& barrier = block.barriers[id];
  tell(block, &Observer::complete, block, id, is_whole(block, barrier));
  if (barrier.reduces) {
    for (const auto& warp : block.warps) release_groups(*warp, id, barrier);
  } else {
    for (const auto& warp : block.warps) {
      if (!warp->at_rest) [[unlikely]] {
        release_groups(*warp, id, barrier);
        continue;
      }
      WarpSplit& only = warp->splits.front();
      if (only.barrier == id) only.state = WarpSplit::State::ready;
    }
  }
  barrier = Barrier{};
  block.open_barriers &= ~(1u << id);
}

/// Whether the barrier where threads wait is an experiment's, and none of the program.
bool waits_at_added(const BlockContext& block, std::uint32_t id) {
  if (id != kAddedBarrier || block.launch->options.changes == nullptr) return false;
  const Barrier& barrier = block.barriers[id];
  const ptx::Instruction* source = barrier.first_program->source[barrier.first_site->index];
  return source != nullptr && is_added(*source);
}

/// A thread left without passing a barrier at which others of its warp wait, or its whole warp did.
void check_exits(BlockContext& block, std::uint32_t id) {
  const LaunchState& launch = *block.launch;
  if (!launch.options.checks.barriers || waits_at_added(block, id)) return;
  for (const auto& warp : block.warps) {
    const std::uint32_t gone = gone_lanes(*warp);
    if (gone == 0) continue;
    const WarpContext* witness = nullptr;
    const WarpSplit* waiting = nullptr;
    for (const auto& other : block.warps) {
      for (const WarpSplit& split : other->splits) {
        const bool here = split.state == WarpSplit::State::at_barrier && split.barrier == id;
        if (here && (witness == nullptr || other == warp)) {
          witness = other.get();
          waiting = &split;
        }
      }
    }
    if (witness == nullptr) return;
    raise(launch,
          {faults::ExitBeforeBarrier{*witness, waiting->pc[-1], waiting->mask, *warp, gone}});
    return;
  }
}

/// @returns true when the barrier was complete
inline bool complete_if_all_arrived(BlockContext& block, std::uint32_t id) {
  const Barrier& barrier = block.barriers[id];
  if (barrier.arrived < expected_threads(block, barrier)) [[likely]]
    return false;
  if (barrier.arrived == 0) return false;
  if (barrier.expected == 0 && block.live_threads < block.launch->threads_per_block) {
    check_exits(block, id);
  }
  release(block, id);
  return true;
}

/// The first threads arrive.
void open(const WarpContext& context, const Inst& in, std::uint32_t id,
          std::uint32_t thread_count) {
  BlockContext& block = *context.block;
  Barrier& barrier = block.barriers[id];
  block.open_barriers |= 1u << id;
  barrier.expected = thread_count;
  barrier.first_site = &in;
  barrier.first_program = context.frame().program;
}

/// Threads arrive elsewhere than the first ones did.
[[gnu::noinline]] void arrive_elsewhere(const WarpContext& context, const Inst& in,
                                        std::uint32_t id, std::uint32_t thread_count) {
  const BlockContext& block = *context.block;
  const Barrier& barrier = block.barriers[id];
  if (thread_count == 0 && block.launch->options.checks.barriers && !waits_at_added(block, id)) {
    raise(context,
          {faults::BarrierMismatch{context, in, *barrier.first_program, *barrier.first_site}});
  }
}

[[gnu::noinline]] void add_to_reduction(Barrier& barrier, std::uint32_t predicate,
                                        std::uint32_t active) {
  barrier.reduces = true;
  barrier.reduce_count += static_cast<std::uint32_t>(std::popcount(predicate & active));
  if ((predicate & active) != active) barrier.reduce_and = 0;
  if ((predicate & active) != 0) barrier.reduce_or = 1;
}

void arrive(Warp& warp, const Inst& in, std::uint32_t id, std::uint32_t thread_count,
            std::uint32_t predicate) {
  WarpContext& context = *warp.context;
  BlockContext& block = *context.block;
  Barrier& barrier = block.barriers[id];
  if (barrier.arrived == 0) {
    open(context, in, id, thread_count);
  } else if (barrier.first_site != &in) [[unlikely]] {
    arrive_elsewhere(context, in, id, thread_count);
  }
  if ((block.watch & kEvents) != 0 && !is_whole(block, barrier)) {
    tell_all(*block.launch, &Observer::arrive, context, id);
  }
  barrier.arrived += static_cast<std::uint32_t>(context.running.threads);
  if (reduces(in)) [[unlikely]]
    add_to_reduction(barrier, predicate, warp.active);
}

void stand(WarpSplit& split, const Inst& in, std::uint32_t id) {
  split.pc = &in + 1;
  split.state = WarpSplit::State::at_barrier;
  split.barrier = static_cast<std::uint8_t>(id);
}

/// The running split arrives and waits, if it is not the last. It is counted already.
[[gnu::noinline]] const Inst* arrive_and_wait(Warp& warp, const Inst& in, std::uint32_t id,
                                              std::uint32_t thread_count, std::uint32_t predicate) {
  WarpContext& context = *warp.context;
  arrive(warp, in, id, thread_count, predicate);
  stand(context.splits[context.current], in, id);
  const bool complete = complete_if_all_arrived(*context.block, id);
  // The only split of a warp that waits leaves nothing to choose from.
  if (complete || context.splits.size() != 1) return reschedule(context);
  context.at_rest = is_plain(context);
  return kStop;
}

}  // namespace

const Inst* wait_at_barrier(Warp& warp, const Inst& in, std::uint32_t id,
                            std::uint32_t thread_count, std::uint32_t predicate) {
  account(*warp.context, in);
  return arrive_and_wait(warp, in, id, thread_count, predicate);
}

namespace {

/// All of a warp come to a barrier of the block, not as the last ones, to where all others come: so
/// it is nearly always. Observers are told of such a barrier when it is complete.
[[gnu::always_inline]] inline bool waits_quietly(const WarpContext& context, const Inst& in,
                                                 const Barrier& barrier) {
  const BlockContext& block = *context.block;
  return (barrier.first_site == &in || barrier.arrived == 0) &&
         barrier.arrived + static_cast<std::uint32_t>(context.running.threads) <
             block.live_threads &&
         context.splits.size() == 1 && is_plain(context);
}

[[gnu::always_inline]] inline void wait_quietly(WarpContext& context, const Inst& in,
                                                Barrier& barrier) {
  const auto id = static_cast<std::uint32_t>(in.imm);
  if (barrier.arrived == 0) open(context, in, id, 0);
  barrier.arrived += static_cast<std::uint32_t>(context.running.threads);
  stand(context.splits.front(), in, id);
  context.at_rest = true;
}

}  // namespace

const Inst* wait_for_block(Warp& warp, const Inst& in) {
  WarpContext& context = *warp.context;
  account(context, in);
  Barrier& barrier = context.block->barriers[in.imm];
  if (!waits_quietly(context, in, barrier)) [[unlikely]] {
    return arrive_and_wait(warp, in, static_cast<std::uint32_t>(in.imm), 0, 0);
  }
  wait_quietly(context, in, barrier);
  return kStop;
}

namespace {

/// Lets the warp `first`, which jumps to a barrier, and those after it that do so from the same
/// place arrive there. The last one that the barrier waits for ends the row, as it goes on.
/// @returns the first warp that is not done
std::size_t arrive_in_row(BlockContext& block, std::size_t first, Barrier& barrier) {
  const WarpContext& leader = *block.warps[first];
  const Inst& branch = *leader.splits.front().pc;
  const Inst& in = *branch.target;
  const auto id = static_cast<std::uint32_t>(in.imm);
  if (barrier.arrived == 0) open(leader, in, id, 0);
  const std::uint32_t flip = (branch.flags & kGuardNegated) != 0 ? 0 : kFullMask;
  const std::uint32_t executed = branch.covers + in.covers + 2;
  const std::int64_t missing = block.live_threads - barrier.arrived;
  const auto* const warps = block.warps.data();
  const std::size_t count = block.warps.size();
  RunCount arrived{0, 0};
  std::size_t i = first;
  do {
    WarpContext& context = *warps[i];
    if (!context.at_rest) break;
    WarpSplit& split = context.splits.front();
    if (split.state != WarpSplit::State::ready) continue;
    const bool jumps = split.pc == &branch &&
                       ((context.warp.pred(branch.guard) ^ flip) & context.warp.active) == 0;
    if (!jumps) break;
    stand(split, in, id);
    context.executed += executed;
    ++arrived.executed;
    arrived.threads += context.running.threads;
  } while (arrived.threads != missing && ++i < count);
  count_run(leader.run_counts, branch, branch, arrived);
  count_run(leader.run_counts, in, in, arrived);
  barrier.arrived += static_cast<std::uint32_t>(arrived.threads);
  if (arrived.threads == missing) static_cast<void>(complete_if_all_arrived(block, id));
  return i;
}

}  // namespace

std::size_t skip_to_barriers(BlockContext& block, std::size_t first) {
  std::size_t next = first;
  do {
    const Inst& in = *block.warps[next]->splits.front().pc->target;
    Barrier& barrier = block.barriers[in.imm];
    if (barrier.arrived != 0 && barrier.first_site != &in) break;
    next = arrive_in_row(block, next, barrier);
  } while (next < block.warps.size() && jumps_to_barrier(*block.warps[next]));
  return next;
}

void arrive_at_barrier(Warp& warp, const Inst& in, std::uint32_t id, std::uint32_t thread_count) {
  arrive(warp, in, id, thread_count, 0);
  static_cast<void>(complete_if_all_arrived(*warp.context->block, id));
}

bool leave_added_barrier(BlockContext& block) {
  const bool open = (block.open_barriers & (1u << kAddedBarrier)) != 0;
  if (!open || !waits_at_added(block, kAddedBarrier)) return false;
  for (const Change::Kind kind : {Change::Kind::barrier_before, Change::Kind::barrier_after}) {
    block.launch->options.changes->problem(kind, "not all threads of a block come to the barrier");
  }
  release(block, kAddedBarrier);
  return true;
}

void threads_ended(BlockContext& block) {
  for (std::uint32_t open = block.open_barriers; open != 0; open &= open - 1) {
    const auto id = static_cast<std::uint32_t>(std::countr_zero(open));
    if (block.barriers[id].expected == 0) static_cast<void>(complete_if_all_arrived(block, id));
  }
}

}  // namespace warpsim
