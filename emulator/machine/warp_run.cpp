#include <algorithm>
#include <bit>

#include "emulator/isa/description.h"
#include "emulator/machine/budget.h"
#include "emulator/machine/cluster.h"
#include "emulator/machine/context.h"
#include "emulator/machine/debugger.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/schedule.h"

// Which lanes of a warp run next, and how a warp's lanes diverge and reconverge.

namespace warpsim {
namespace {

/// Backward jumps after which a split lets others run. A loop that touches what other threads can
/// change may be waiting for them; any other loop ends by itself, and letting the rest of the warp
/// run ahead of it would cost reconvergence.
constexpr std::uint32_t kSpinQuantum = 64;
constexpr std::uint32_t kLoopQuantum = 1u << 20;

/// Joins ready splits that stand at the same place.
void merge(WarpContext& context) {
  auto& splits = context.splits;
  for (std::size_t i = 0; i < splits.size(); ++i) {
    for (std::size_t j = i + 1; j < splits.size();) {
      const bool same = splits[i].state == WarpSplit::State::ready &&
                        splits[j].state == WarpSplit::State::ready &&
                        splits[i].pc == splits[j].pc && splits[i].frame == splits[j].frame;
      if (!same) {
        ++j;
        continue;
      }
      splits[i].mask |= splits[j].mask;
      // Who has given way goes on giving way, or a loop whose lanes diverge and reconverge in every
      // round would keep the others from their turn for ever.
      splits[i].yielded = splits[i].yielded || splits[j].yielded;
      splits.erase(splits.begin() + static_cast<std::ptrdiff_t>(j));
    }
  }
}

bool runs_before(const WarpSplit& a, const WarpSplit& b) {
  if (a.yielded != b.yielded) return b.yielded;
  if (a.frame->depth != b.frame->depth) return a.frame->depth > b.frame->depth;
  return a.pc < b.pc;
}

/// With a seed: one of the splits that may run as well as `best`.
std::size_t any_split(WarpContext& context, std::size_t best) {
  const auto& splits = context.splits;
  std::vector<std::size_t> equal;
  for (std::size_t i = 0; i < splits.size(); ++i) {
    const bool ready = splits[i].state == WarpSplit::State::ready;
    if (ready && splits[i].yielded == splits[best].yielded) equal.push_back(i);
  }
  return equal[next_random(context.schedule, equal.size())];
}

/// With a seed: the split stops for others after some instructions, or some turns of a loop.
void interrupt_somewhere(WarpContext& context, const Inst* pc) {
  constexpr std::uint64_t kMostInstructions = 96;
  constexpr std::uint32_t kMostTurns = 24;
  const auto ahead =
      static_cast<std::ptrdiff_t>(1 + next_random(context.schedule, kMostInstructions));
  const Program& program = *context.splits[context.current].frame->program;
  const Inst* end = program.code.data() + program.code.size();
  if (ahead < end - pc) context.warp.stop = std::min(context.warp.stop, pc + ahead);
  context.backward =
      kLoopQuantum - static_cast<std::uint32_t>(1 + next_random(context.schedule, kMostTurns));
}

/// Ends the run that the split has made so far and gives up the warp until others have run.
const Inst* give_way(WarpContext& context, const Inst* pc) {
  WarpSplit& split = context.splits[context.current];
  split.pc = pc;
  split.yielded = true;
  context.spins = false;
  context.backward = 0;
  for (const WarpSplit& other : context.splits) {
    if (other.state == WarpSplit::State::ready && !other.yielded) return reschedule(context);
  }
  return kStop;
}

/// The running split stops where another one waits for it.
[[gnu::noinline]] void stop_at_others(WarpContext& context, const WarpSplit& split) {
  Warp& warp = context.warp;
  for (const WarpSplit& other : context.splits) {
    const bool reconverges = &other != &split && other.state == WarpSplit::State::ready &&
                             other.frame == split.frame && other.pc > split.pc;
    if (reconverges && other.pc < warp.stop) warp.stop = other.pc;
  }
}

[[gnu::noinline]] void use_tables_of(WarpContext& context, const Program& program) {
  context.tables_of = &program;
  context.tables = &context.worker->of(program);
  context.run_counts = context.tables->runs.data();
  NativeRuns* const native = context.tables->native.get();
  context.native = native != nullptr ? native->by_index() : nullptr;
}

/// A seed's interruptions, the tracking of values and a debugger, which look at each instruction.
[[gnu::noinline]] void slow_down(WarpContext& context, const Inst* pc) {
  if (context.schedule != 0) interrupt_somewhere(context, pc);
  if (context.slow != 0) leave_run_loop(context);
}

/// resume, for a split that is known. What is rare is out of line: this runs once for each barrier
/// and warp, and should need no registers of its own.
[[gnu::always_inline]] inline const Inst* point_at(WarpContext& context, const WarpSplit& split) {
  Warp& warp = context.warp;
  warp.active = split.mask;
  warp.regs = context.registers.data() + split.frame->window;
  warp.stop = kStop;
  context.running.threads = split.mask == kFullMask ? kWarpSize : std::popcount(split.mask);
  if (context.splits.size() > 1) [[unlikely]]
    stop_at_others(context, split);
  if (context.tables_of != split.frame->program) [[unlikely]]
    use_tables_of(context, *split.frame->program);
  if (context.schedule != 0 || context.slow != 0) [[unlikely]]
    slow_down(context, split.pc);
  context.run_start = split.pc;
  return split.pc;
}

[[gnu::noinline]] const Inst* run_slowly(WarpContext& context, const Inst* pc) {
  return (context.slow & kDebugged) != 0 ? run_debugged(context, pc)
                                         : context.follower->run(context, pc);
}

}  // namespace

void leave_run_loop(WarpContext& context) {
  context.slow_stop = context.warp.stop;
  context.warp.stop = nullptr;
}

const Inst* resume(WarpContext& context) {
  return point_at(context, context.splits[context.current]);
}

namespace {

[[gnu::noinline]] const Inst* choose_split(WarpContext& context) {
  auto& splits = context.splits;
  merge(context);
  std::size_t best = splits.size();
  for (std::size_t i = 0; i < splits.size(); ++i) {
    if (splits[i].state != WarpSplit::State::ready) continue;
    if (best == splits.size() || runs_before(splits[i], splits[best])) best = i;
  }
  if (context.schedule != 0 && best != splits.size()) best = any_split(context, best);
  if (best == splits.size()) return kStop;
  // All have given way: everyone has had a turn, and a new round begins.
  if (splits[best].yielded) {
    for (WarpSplit& split : splits) split.yielded = false;
    return reschedule(context);
  }
  context.current = best;
  return resume(context);
}

}  // namespace

const Inst* reschedule(WarpContext& context) {
  if (context.splits.size() != 1) return choose_split(context);
  WarpSplit& only = context.splits.front();
  if (only.state != WarpSplit::State::ready) return kStop;
  context.current = 0;
  only.yielded = false;
  return point_at(context, only);
}

namespace {

/// As reschedule, for a warp at rest whose split is ready again.
const Inst* go_on(WarpContext& context) {
  WarpSplit& only = context.splits.front();
  context.at_rest = false;
  only.yielded = false;
  context.run_start = only.pc;
  return only.pc;
}

/// As reschedule, for a split that has come to where another one waits.
const Inst* reconverge(WarpContext& context) {
  auto& splits = context.splits;
  if (splits.size() != 2 || splits[0].state != WarpSplit::State::ready ||
      splits[1].state != WarpSplit::State::ready || splits[0].pc != splits[1].pc ||
      splits[0].frame != splits[1].frame) {
    return reschedule(context);
  }
  // They are all: one split again.
  splits[0].mask |= splits[1].mask;
  splits.pop_back();
  return reschedule(context);
}

}  // namespace

namespace {

/// Runs the warp from `pc` on, as run_warp.
[[gnu::always_inline]] inline void run_from(WarpContext& context, const Inst* pc) {
  Warp& warp = context.warp;
  const BlockContext& block = *context.block;
  while (pc != kStop) {
    while (pc < warp.stop) pc = pc->run(warp, *pc);
    if (context.slow != 0) [[unlikely]] {
      pc = run_slowly(context, pc);
      if (pc < warp.stop) continue;  // nothing is left to track
    }
    if (pc == kStop) return;
    // The split has come to where another one waits.
    if (pc != context.run_start) account(context, pc[-1]);
    context.splits[context.current].pc = pc;
    if (block.launch->stopped(block.linear)) return;
    if (context.schedule != 0) {
      context.preempted = true;
      return;
    }
    pc = reconverge(context);
  }
}

}  // namespace

void run_warp(WarpContext& context) {
  context.preempted = false;
  run_from(context, context.at_rest ? go_on(context) : reschedule(context));
}

void run_new_warp(WarpContext& context) {
  run_from(context, point_at(context, context.splits.front()));
}

const Inst* jump_back(Warp& warp, const Inst& from, const Inst* target) {
  WarpContext& context = *warp.context;
  const LaunchState& launch = *context.block->launch;
  if (context.executed > launch.budget) {
    context.splits[context.current].pc = target;
    raise(context, {faults::Endless{context, from, *target}});
    return abort_launch(warp, from, LaunchStatus::out_of_budget);
  }
  const std::uint32_t quantum = context.spins ? kSpinQuantum : kLoopQuantum;
  const bool turn_is_over = ++context.backward >= quantum;
  const bool looks = context.backward % kJumpsBetweenLooks == 0;
  if (!turn_is_over && !looks) [[likely]]
    return target;
  if ((looks || looks_when_giving_way(context)) && uses_up_budget(context)) {
    context.splits[context.current].pc = target;
    raise(context, {faults::Endless{context, from, *target}});
    return abort_launch(warp, from, LaunchStatus::out_of_budget);
  }
  if (!turn_is_over) return target;
  if (context.schedule != 0 && !context.spins) context.preempted = true;
  if (launch.stopped(context.block->linear)) {
    context.splits[context.current].pc = target;
    return kStop;
  }
  return give_way(context, target);
}

const Inst* diverge(Warp& warp, const Inst& in, std::uint32_t taken, const Inst* target) {
  WarpContext& context = *warp.context;
  account(context, in);
  ++context.tables->counts[in.index].divergent;
  auto& splits = context.splits;
  // In its place, as a copy would have to wait until its members are written.
  WarpSplit& other = splits.emplace_back();
  WarpSplit& rest = splits[context.current];
  other.pc = target;
  other.mask = taken;
  other.frame = rest.frame;
  other.diverged_at = &in;
  rest.diverged_at = &in;
  rest.pc = &in + 1;
  rest.mask = warp.active & ~taken;
  // All lanes were together and some go ahead: the others come first, up to where those wait.
  if (target > &in + 1 && splits.size() == 2 && !rest.yielded && is_plain(context)) [[likely]] {
    warp.active = rest.mask;
    warp.stop = target;
    context.running.threads = std::popcount(rest.mask);
    context.run_start = rest.pc;
    return rest.pc;
  }
  if (target <= &in && context.executed > context.block->launch->budget) {
    raise(context, {faults::Endless{context, in, *target}});
    return abort_launch(warp, in, LaunchStatus::out_of_budget);
  }
  return reschedule(context);
}

const Inst* diverge_same(Warp& warp, const Inst& in, std::uint32_t lanes) {
  WarpContext& context = *warp.context;
  if (context.run_start != &in) account(context, (&in)[-1]);
  WarpSplit other = context.splits[context.current];
  other.pc = &in;
  other.mask = lanes;
  context.splits[context.current].pc = &in;
  context.splits[context.current].mask = warp.active & ~lanes;
  // Runs now, unmerged: merging would bring both back here for ever.
  context.splits.push_back(other);
  context.current = context.splits.size() - 1;
  return resume(context);
}

const Inst* scatter(Warp& warp, const Inst& in, const Inst* const* targets) {
  WarpContext& context = *warp.context;
  const Inst* first = targets[std::countr_zero(warp.active)];
  std::uint32_t left = warp.active;
  for (std::uint32_t rest = left; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (targets[lane] == first) left &= ~(1u << lane);
  }
  if (left == 0) return jump(warp, in, first);
  account(context, in);
  Frame* frame = context.splits[context.current].frame;
  ++context.tables->counts[in.index].divergent;
  context.splits[context.current].pc = first;
  context.splits[context.current].mask = warp.active & ~left;
  while (left != 0) {
    WarpSplit split;
    split.pc = targets[std::countr_zero(left)];
    split.frame = frame;
    for (std::uint32_t rest = left; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (targets[lane] == split.pc) split.mask |= 1u << lane;
    }
    left &= ~split.mask;
    context.splits.push_back(split);
  }
  return reschedule(context);
}

namespace {

/// True when `branch` and `place` are in one loop of the program.
bool in_one_loop(const Program& program, const Inst& branch, const Inst& place) {
  const Inst* end = program.code.data() + program.code.size();
  for (const Inst* in = std::max(&branch, &place); in < end; ++in) {
    const ptx::Instruction* source = program.source[in->index];
    if (source == nullptr || describe(*source).control != Control::branch) continue;
    if (in->target <= &branch && in->target <= &place) return true;
  }
  return false;
}

/// Lanes end while others wait for them at a `_sync` operation. Lanes that returned early may be
/// named in a mask; lanes that went around the operation, or left its loop, may not.
void report_waiting_for(const WarpContext& context, const WarpSplit& leaving, const Inst& in) {
  if (leaving.diverged_at == nullptr) return;
  for (const WarpSplit& split : context.splits) {
    if (split.state != WarpSplit::State::at_warp_sync || split.frame != leaving.frame) continue;
    const std::uint32_t missing = split.members & leaving.mask;
    if (missing == 0) continue;
    const bool passed = leaving.diverged_at < split.pc && context.run_start > split.pc;
    const bool worked = passed && context.run_start != &in;
    if (worked || in_one_loop(*split.frame->program, *leaving.diverged_at, *split.pc)) {
      raise(context, {faults::MissingLanes{context, split, missing, *leaving.diverged_at}});
    }
  }
}

/// The running split ends, or all that is left of the warp.
void end_lanes(WarpContext& context) {
  context.live &= ~context.warp.active;
  context.block->live_threads -= static_cast<std::uint32_t>(context.running.threads);
  const BlockContext& block = *context.block;
  const Cluster& cluster = *block.cluster;
  const bool others_look = cluster.arrived != 0 || cluster.observed || block.async;
  if (others_look) [[unlikely]]
    leave_cluster_barrier(context, context.warp.active);
}

[[gnu::noinline]] const Inst* exit_before_others(WarpContext& context, const Inst& in) {
  BlockContext& block = *context.block;
  report_waiting_for(context, context.splits[context.current], in);
  end_lanes(context);
  context.splits.erase(context.splits.begin() + static_cast<std::ptrdiff_t>(context.current));
  // Who waits for lanes that have gone looks again.
  for (WarpSplit& split : context.splits) {
    if (split.state == WarpSplit::State::at_warp_sync) split.state = WarpSplit::State::ready;
  }
  if (block.open_barriers != 0) threads_ended(block);
  return reschedule(context);
}

}  // namespace

const Inst* exit_lanes(Warp& warp, const Inst& in) {
  WarpContext& context = *warp.context;
  account(context, in);
  if (context.splits.size() != 1) return exit_before_others(context, in);
  end_lanes(context);
  context.splits.clear();
  if (context.block->open_barriers != 0) threads_ended(*context.block);
  return kStop;
}

const Inst* yield(Warp& warp, const Inst& in) {
  WarpContext& context = *warp.context;
  account(context, in);
  return give_way(context, &in + 1);
}

const Inst* abort_launch(Warp& warp, const Inst& in, LaunchStatus why) {
  WarpContext& context = *warp.context;
  static_cast<void>(in);
  context.block->launch->fail(context.block->linear, why);
  return kStop;
}

namespace {

/// Lanes whose guard holds execute the instruction as a split of their own. It is one instruction
/// of the whole warp all the same, and no branch.
const Inst* split_off(Warp& warp, const Inst& in, std::uint32_t taken) {
  ProgramTables& tables = *warp.context->tables;
  const std::int64_t threads = std::popcount(taken);
  RunCount& first = tables.runs[in.index - in.covers];
  RunCount& past = tables.runs[in.index + 1];
  first.executed -= 1;
  first.threads -= threads;
  past.executed += 1;
  past.threads += threads;
  --tables.counts[in.index].divergent;
  return diverge(warp, in, taken, &in);
}

}  // namespace

const Inst* run_guarded(Warp& warp, const Inst& in) {
  std::uint32_t taken = warp.pred(in.guard);
  if (in.flags & kGuardNegated) taken = ~taken;
  taken &= warp.active;
  if (taken == warp.active) return in.guarded(warp, in);
  Counts& counts = warp.context->tables->counts[in.index];
  counts.predicated_off += static_cast<std::uint64_t>(std::popcount(warp.active & ~taken));
  if (taken == 0) return &in + 1;
  // What changes the flow or waits needs its lanes as a split of their own.
  if (in.flags & kControl) return split_off(warp, in, taken);
  const std::uint32_t all = warp.active;
  warp.active = taken;
  const Inst* next = in.guarded(warp, in);
  warp.active = all;
  return next;
}

}  // namespace warpsim
