#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "emulator/machine/cluster.h"
#include "emulator/machine/context.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/schedule.h"
#include "emulator/machine/tracking.h"

// Which lanes of a warp run next, and how a warp's lanes part and meet again.

namespace warpsim {
namespace {

/// Backward jumps after which a group lets others run. A loop that touches what other threads can
/// change may be waiting for them; any other loop ends by itself, and letting the rest of the warp
/// run ahead of it would cost reconvergence.
constexpr std::uint32_t kSpinQuantum = 64;
constexpr std::uint32_t kLoopQuantum = 1u << 20;

template <class T, class F>
void fill_lanes(std::byte* at, F value) {
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const T v = static_cast<T>(value(lane));
    std::memcpy(at + static_cast<std::size_t>(lane) * sizeof(T), &v, sizeof(T));
  }
}

template <class F>
void fill_value(std::byte* at, std::uint8_t bytes, F value) {
  switch (bytes) {
    case 2:
      fill_lanes<std::uint16_t>(at, value);
      break;
    case 8:
      fill_lanes<std::uint64_t>(at, value);
      break;
    default:
      fill_lanes<std::uint32_t>(at, value);
      break;
  }
}

std::uint64_t cluster_value(const BlockContext& block, FrameValue value) {
  const Dim3& size = block.launch->cluster;
  const Dim3& grid = block.launch->grid;
  switch (value) {
    case FrameValue::clusterid_x:
      return block.cluster->id.x;
    case FrameValue::clusterid_y:
      return block.cluster->id.y;
    case FrameValue::clusterid_z:
      return block.cluster->id.z;
    case FrameValue::nclusterid_x:
      return grid.x / size.x;
    case FrameValue::nclusterid_y:
      return grid.y / size.y;
    case FrameValue::nclusterid_z:
      return grid.z / size.z;
    case FrameValue::cluster_ctaid_x:
      return block.id.x % size.x;
    case FrameValue::cluster_ctaid_y:
      return block.id.y % size.y;
    case FrameValue::cluster_ctaid_z:
      return block.id.z % size.z;
    case FrameValue::cluster_nctaid_x:
      return size.x;
    case FrameValue::cluster_nctaid_y:
      return size.y;
    case FrameValue::cluster_nctaid_z:
      return size.z;
    case FrameValue::cluster_ctarank:
      return block.rank;
    case FrameValue::cluster_nctarank:
      return size.count();
    case FrameValue::is_explicit_cluster:
      return block.launch->explicit_cluster ? kFullMask : 0;
    default:
      return 0;
  }
}

std::uint64_t uniform_value(const WarpContext& context, const FrameSlot& slot) {
  const BlockContext& block = *context.block;
  const LaunchState& launch = *block.launch;
  switch (slot.value) {
    case FrameValue::ntid_x:
      return launch.block.x;
    case FrameValue::ntid_y:
      return launch.block.y;
    case FrameValue::ntid_z:
      return launch.block.z;
    case FrameValue::ctaid_x:
      return block.id.x;
    case FrameValue::ctaid_y:
      return block.id.y;
    case FrameValue::ctaid_z:
      return block.id.z;
    case FrameValue::nctaid_x:
      return launch.grid.x;
    case FrameValue::nctaid_y:
      return launch.grid.y;
    case FrameValue::nctaid_z:
      return launch.grid.z;
    case FrameValue::warpid:
      return context.warp.warp_index;
    case FrameValue::nwarpid:
      return launch.warps_per_block;
    case FrameValue::smid:
      return block.linear % static_cast<std::uint64_t>(launch.card->multiprocessors);
    case FrameValue::nsmid:
      return static_cast<std::uint64_t>(launch.card->multiprocessors);
    case FrameValue::gridid:
      return launch.launch_number;
    case FrameValue::dynamic_smem_size:
      return launch.dynamic_shared_bytes;
    case FrameValue::total_smem_size:
      return launch.shared_bytes;
    case FrameValue::envreg1:
      return launch.workspace >> 32;
    case FrameValue::envreg2:
      return launch.workspace & 0xffffffffu;
    default:
      return cluster_value(block, slot.value);
  }
}

std::uint64_t lane_value(const WarpContext& context, FrameValue value, int lane) {
  const LaunchState& launch = *context.block->launch;
  const auto bit = static_cast<std::uint32_t>(lane);
  const std::uint64_t thread = context.warp.warp_index * std::uint64_t{kWarpSize} + bit;
  const std::uint32_t eq = 1u << bit;
  switch (value) {
    case FrameValue::tid_x:
      return thread % launch.block.x;
    case FrameValue::tid_y:
      return thread / launch.block.x % launch.block.y;
    case FrameValue::tid_z:
      return thread / (std::uint64_t{launch.block.x} * launch.block.y) % launch.block.z;
    case FrameValue::laneid:
      return bit;
    case FrameValue::lanemask_eq:
      return eq;
    case FrameValue::lanemask_lt:
      return eq - 1;
    case FrameValue::lanemask_le:
      return eq | (eq - 1);
    case FrameValue::lanemask_gt:
      return ~(eq | (eq - 1));
    case FrameValue::lanemask_ge:
      return ~(eq - 1);
    default:
      return 0;
  }
}

std::uint64_t parameter_value(const std::vector<std::byte>& parameters, std::uint64_t operand) {
  const auto offset = static_cast<std::uint32_t>(operand);
  const auto bytes = static_cast<std::size_t>((operand >> 32) & 0xff);
  std::uint64_t bits = 0;
  if (offset + bytes <= parameters.size()) {
    std::memcpy(&bits, parameters.data() + offset, bytes);
  }
  const bool is_signed = (operand >> 40) & 1;
  if (is_signed && bytes < 8) {
    const int shift = 64 - static_cast<int>(bytes) * 8;
    bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << shift) >> shift);
  }
  return bits;
}

bool is_per_lane(FrameValue value) {
  switch (value) {
    case FrameValue::tid_x:
    case FrameValue::tid_y:
    case FrameValue::tid_z:
    case FrameValue::laneid:
    case FrameValue::lanemask_eq:
    case FrameValue::lanemask_le:
    case FrameValue::lanemask_lt:
    case FrameValue::lanemask_ge:
    case FrameValue::lanemask_gt:
      return true;
    default:
      return false;
  }
}

/// Joins ready groups that stand at the same place.
void merge(WarpContext& context) {
  auto& groups = context.groups;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::size_t j = i + 1; j < groups.size();) {
      const bool same = groups[i].state == Group::State::ready &&
                        groups[j].state == Group::State::ready && groups[i].pc == groups[j].pc &&
                        groups[i].frame == groups[j].frame;
      if (!same) {
        ++j;
        continue;
      }
      groups[i].mask |= groups[j].mask;
      // Who has given way goes on giving way, or a loop whose lanes part and meet in every round
      // would keep the others from their turn for ever.
      groups[i].yielded = groups[i].yielded || groups[j].yielded;
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(j));
    }
  }
}

bool runs_before(const Group& a, const Group& b) {
  if (a.yielded != b.yielded) return b.yielded;
  if (a.frame->depth != b.frame->depth) return a.frame->depth > b.frame->depth;
  return a.pc < b.pc;
}

/// With a seed: one of the groups that may run as well as `best`.
std::size_t any_group(WarpContext& context, std::size_t best) {
  const auto& groups = context.groups;
  std::vector<std::size_t> equal;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const bool ready = groups[i].state == Group::State::ready;
    if (ready && groups[i].yielded == groups[best].yielded) equal.push_back(i);
  }
  return equal[next_random(context.schedule, equal.size())];
}

/// With a seed: the group stops for others after some instructions, or some turns of a loop.
void interrupt_somewhere(WarpContext& context, const Inst* pc) {
  constexpr std::uint64_t kMostInstructions = 96;
  constexpr std::uint32_t kMostTurns = 24;
  const auto ahead =
      static_cast<std::ptrdiff_t>(1 + next_random(context.schedule, kMostInstructions));
  const Program& program = *context.groups[context.current].frame->program;
  const Inst* end = program.code.data() + program.code.size();
  if (ahead < end - pc) context.warp.stop = std::min(context.warp.stop, pc + ahead);
  context.backward =
      kLoopQuantum - static_cast<std::uint32_t>(1 + next_random(context.schedule, kMostTurns));
}

/// Ends the run that the group has made so far and gives up the warp until others have run.
const Inst* give_way(WarpContext& context, const Inst* pc) {
  Group& group = context.groups[context.current];
  group.pc = pc;
  group.yielded = true;
  context.spins = false;
  context.backward = 0;
  for (const Group& other : context.groups) {
    if (other.state == Group::State::ready && !other.yielded) return reschedule(context);
  }
  return kStop;
}

}  // namespace

void Unmap::operator()(std::byte* p) const {
  ::munmap(p, bytes);
}

void Buffer::reserve(std::size_t bytes) {
  if (bytes <= size_) return;
  const std::size_t size = (bytes + 4095) / 4096 * 4096;
  void* p = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  data_ = std::unique_ptr<std::byte, Unmap>(static_cast<std::byte*>(p), Unmap{size});
  size_ = size;
}

namespace {

void fill_slots(WarpContext& context, const Frame& frame, const std::vector<FrameSlot>& slots) {
  std::byte* window = context.registers.data() + frame.window;
  for (const FrameSlot& slot : slots) {
    std::byte* at = window + slot.slot;
    if (is_per_lane(slot.value)) {
      fill_value(at, slot.bytes, [&](int lane) { return lane_value(context, slot.value, lane); });
    } else if (slot.value == FrameValue::local_address) {
      const std::uint64_t address = frame.local_base + slot.operand;
      fill_value(at, slot.bytes, [&](int) { return address; });
    } else if (slot.value == FrameValue::kernel_parameter) {
      const std::uint64_t bits = parameter_value(context.block->launch->parameters, slot.operand);
      fill_value(at, slot.bytes, [&](int) { return bits; });
    } else {
      const std::uint64_t bits = uniform_value(context, slot);
      fill_value(at, slot.bytes, [&](int) { return bits; });
    }
  }
}

}  // namespace

void fill_frame(WarpContext& context, const Frame& frame) {
  const Program& program = *frame.program;
  std::memcpy(context.registers.data() + frame.window, program.frame_image.data(),
              program.frame_image.size());
  fill_slots(context, frame, program.frame_slots);
  fill_slots(context, frame, program.block_slots);
}

void prepare_warp(WarpContext& context) {
  const LaunchState& launch = *context.block->launch;
  context.warp.context = &context;
  context.frames.push_back(std::make_unique<Frame>());
  Frame& root = *context.frames.back();
  root.program = launch.program;
  context.registers.reserve(launch.program->frame_image.size());
  fill_frame(context, root);
}

void start_warp(WarpContext& context) {
  const LaunchState& launch = *context.block->launch;
  const std::uint32_t first = context.warp.warp_index * kWarpSize;
  const std::uint32_t threads =
      std::min<std::uint32_t>(launch.threads_per_block - first, kWarpSize);
  context.started = threads == kWarpSize ? kFullMask : (1u << threads) - 1;
  context.live = context.started;
  context.executed = 0;
  context.schedule = schedule_state(launch.options.seed, launch.launch_number,
                                    context.block->linear, context.warp.warp_index);
  context.preempted = false;
  context.spins = false;
  context.backward = 0;
  context.tracks = false;
  context.tracking.reset();
  context.frames.resize(1);
  Frame& root = *context.frames.front();
  if (launch.program->reads_unset_registers) {
    fill_frame(context, root);
  } else {
    fill_slots(context, root, launch.program->block_slots);
  }
  if (launch.program->local_bytes > 0) {
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
      std::memset(context.local_written.data() + lane * context.local_stride, 0,
                  launch.program->local_bytes);
    }
  }
  context.groups.assign(1, Group{});
  context.groups[0].pc = launch.program->code.data();
  context.groups[0].mask = context.started;
  context.groups[0].frame = &root;
  context.current = 0;
}

const Inst* resume(WarpContext& context) {
  Group& group = context.groups[context.current];
  Warp& warp = context.warp;
  warp.active = group.mask;
  warp.regs = context.registers.data() + group.frame->window;
  warp.stop = kStop;
  if (context.groups.size() > 1) [[unlikely]] {
    for (const Group& other : context.groups) {
      const bool meets = &other != &group && other.state == Group::State::ready &&
                         other.frame == group.frame && other.pc > group.pc;
      if (meets && other.pc < warp.stop) warp.stop = other.pc;
    }
  }
  context.running_lanes =
      group.mask == kFullMask ? kWarpSize : static_cast<std::uint32_t>(std::popcount(group.mask));
  if (context.tables_of != group.frame->program) {
    context.tables_of = group.frame->program;
    context.tables = &context.worker->of(*group.frame->program);
    context.run_counts = context.tables->runs.data();
  }
  if (context.schedule != 0) [[unlikely]]
    interrupt_somewhere(context, group.pc);
  if (context.tracks) [[unlikely]] {
    context.tracking->stop = warp.stop;
    warp.stop = nullptr;
  }
  context.run_start = group.pc;
  return group.pc;
}

namespace {

[[gnu::noinline]] const Inst* choose_group(WarpContext& context) {
  auto& groups = context.groups;
  merge(context);
  std::size_t best = groups.size();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].state != Group::State::ready) continue;
    if (best == groups.size() || runs_before(groups[i], groups[best])) best = i;
  }
  if (context.schedule != 0 && best != groups.size()) best = any_group(context, best);
  if (best == groups.size()) return kStop;
  // All have given way: everyone has had a turn, and a new round begins.
  if (groups[best].yielded) {
    for (Group& group : groups) group.yielded = false;
    return reschedule(context);
  }
  context.current = best;
  return resume(context);
}

}  // namespace

const Inst* reschedule(WarpContext& context) {
  auto& groups = context.groups;
  if (groups.size() != 1) return choose_group(context);
  if (groups[0].state != Group::State::ready) return kStop;
  context.current = 0;
  groups[0].yielded = false;
  return resume(context);
}

void run_warp(WarpContext& context) {
  Warp& warp = context.warp;
  const BlockContext& block = *context.block;
  context.preempted = false;
  const Inst* pc = reschedule(context);
  while (pc != kStop) {
    while (pc < warp.stop) pc = pc->run(warp, *pc);
    if (context.tracks) [[unlikely]] {
      pc = run_tracked(context, pc);
      if (pc < warp.stop) continue;  // nothing is left to track
    }
    if (pc == kStop) return;
    // The group has come to where another one waits.
    if (pc != context.run_start) account(context, pc[-1]);
    context.groups[context.current].pc = pc;
    if (block.launch->stopped(block.linear)) return;
    if (context.schedule != 0) {
      context.preempted = true;
      return;
    }
    pc = reschedule(context);
  }
}

void account(WarpContext& context, const Inst& last) {
  const std::int64_t threads = context.running_lanes;
  const std::uint32_t start = context.run_start->index - context.run_start->covers;
  RunCount& first = context.run_counts[start];
  RunCount& past = context.run_counts[last.index + 1];
  ++first.executed;
  --past.executed;
  first.threads += threads;
  past.threads -= threads;
  context.executed += last.index - start + 1;
}

const Inst* jump(Warp& warp, const Inst& from, const Inst* target) {
  WarpContext& context = *warp.context;
  account(context, from);
  context.run_start = target;
  if (target > &from) [[likely]]
    return target;
  const LaunchState& launch = *context.block->launch;
  if (context.executed > launch.budget) {
    context.groups[context.current].pc = target;
    report_budget(context, from, *target);
    return abort_launch(warp, from, LaunchStatus::out_of_budget);
  }
  const std::uint32_t quantum = context.spins ? kSpinQuantum : kLoopQuantum;
  if (++context.backward < quantum) [[likely]]
    return target;
  if (context.schedule != 0 && !context.spins) context.preempted = true;
  if (launch.stopped(context.block->linear)) {
    context.groups[context.current].pc = target;
    return kStop;
  }
  return give_way(context, target);
}

const Inst* diverge(Warp& warp, const Inst& in, std::uint32_t taken, const Inst* target) {
  WarpContext& context = *warp.context;
  account(context, in);
  Frame* frame = context.groups[context.current].frame;
  ++context.tables->counts[in.index].divergent;
  Group other;
  other.pc = target;
  other.mask = taken;
  other.frame = frame;
  other.parted = &in;
  context.groups[context.current].parted = &in;
  context.groups[context.current].pc = &in + 1;
  context.groups[context.current].mask = warp.active & ~taken;
  context.groups.push_back(other);
  if (target <= &in && context.executed > context.block->launch->budget) {
    report_budget(context, in, *target);
    return abort_launch(warp, in, LaunchStatus::out_of_budget);
  }
  return reschedule(context);
}

const Inst* diverge_same(Warp& warp, const Inst& in, std::uint32_t lanes) {
  WarpContext& context = *warp.context;
  if (context.run_start != &in) account(context, (&in)[-1]);
  Group other = context.groups[context.current];
  other.pc = &in;
  other.mask = lanes;
  context.groups[context.current].pc = &in;
  context.groups[context.current].mask = warp.active & ~lanes;
  // Runs now, unmerged: merging would bring both back here for ever.
  context.groups.push_back(other);
  context.current = context.groups.size() - 1;
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
  Frame* frame = context.groups[context.current].frame;
  ++context.tables->counts[in.index].divergent;
  context.groups[context.current].pc = first;
  context.groups[context.current].mask = warp.active & ~left;
  while (left != 0) {
    Group group;
    group.pc = targets[std::countr_zero(left)];
    group.frame = frame;
    for (std::uint32_t rest = left; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (targets[lane] == group.pc) group.mask |= 1u << lane;
    }
    left &= ~group.mask;
    context.groups.push_back(group);
  }
  return reschedule(context);
}

namespace {

/// True when `branch` and `place` are in one loop of the program.
bool in_one_loop(const Program& program, const Inst& branch, const Inst& place) {
  const Inst* end = program.code.data() + program.code.size();
  for (const Inst* in = std::max(&branch, &place); in < end; ++in) {
    const ptx::Instruction* source = program.source[in->index];
    if (source == nullptr || source->opcode != "bra") continue;
    if (in->target <= &branch && in->target <= &place) return true;
  }
  return false;
}

/// Lanes end while others wait for them at a `_sync` operation. Lanes that returned early may be
/// named in a mask; lanes that went around the operation, or left its loop, may not.
void report_waiting_for(const WarpContext& context, const Group& leaving, const Inst& in) {
  if (leaving.parted == nullptr) return;
  for (const Group& group : context.groups) {
    if (group.state != Group::State::at_warp_sync || group.frame != leaving.frame) continue;
    const std::uint32_t missing = group.members & leaving.mask;
    if (missing == 0) continue;
    const bool passed = leaving.parted < group.pc && context.run_start > group.pc;
    const bool worked = passed && context.run_start != &in;
    if (worked || in_one_loop(*group.frame->program, *leaving.parted, *group.pc)) {
      report_missing_lanes(context, group, missing, *leaving.parted);
    }
  }
}

}  // namespace

const Inst* exit_lanes(Warp& warp, const Inst& in) {
  WarpContext& context = *warp.context;
  account(context, in);
  BlockContext& block = *context.block;
  report_waiting_for(context, context.groups[context.current], in);
  context.live &= ~warp.active;
  block.live_threads -= context.running_lanes;
  context.groups.erase(context.groups.begin() + static_cast<std::ptrdiff_t>(context.current));
  leave_cluster_barrier(context, warp.active);
  // Who waits for lanes that have gone looks again.
  for (Group& group : context.groups) {
    if (group.state == Group::State::at_warp_sync) group.state = Group::State::ready;
  }
  if (block.open_barriers != 0) threads_ended(block);
  return reschedule(context);
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

/// Lanes whose guard holds execute the instruction as a group of their own. It is one instruction
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
  // What changes the flow or waits needs its lanes as a group of their own.
  if (in.flags & kControl) return split_off(warp, in, taken);
  const std::uint32_t all = warp.active;
  warp.active = taken;
  const Inst* next = in.guarded(warp, in);
  warp.active = all;
  return next;
}

}  // namespace warpsim
