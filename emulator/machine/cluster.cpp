#include "emulator/machine/cluster.h"

#include <fmt/format.h>

#include <bit>

#include "emulator/machine/address.h"
#include "emulator/machine/async.h"
#include "emulator/machine/async_handlers.h"
#include "emulator/machine/tell.h"

namespace warpsim {
namespace {

std::uint32_t live_threads(const Cluster& cluster) {
  std::uint32_t threads = 0;
  for (const auto& block : cluster.blocks) threads += block->live_threads;
  return threads;
}

void complete_if_all_arrived(Cluster& cluster) {
  if (cluster.arrived == 0 || cluster.arrived < live_threads(cluster)) return;
  cluster.arrived = 0;
  ++cluster.phase;
  if (cluster.observed) {
    tell_all(*cluster.blocks.front()->launch, &Observer::cluster_complete, cluster);
  }
  ++cluster.changes;
  for (const auto& block : cluster.blocks) {
    for (const auto& warp : block->warps) {
      for (WarpSplit& split : warp->splits) {
        if (split.state == WarpSplit::State::at_cluster_barrier)
          split.state = WarpSplit::State::ready;
      }
    }
  }
}

}  // namespace

BlockContext* block_named(const BlockContext& from, std::uint64_t window_offset) {
  const std::uint64_t upper = window_offset / kClusterStride;
  const Cluster& cluster = *from.cluster;
  if (upper == 0) return cluster.blocks[from.rank].get();
  return upper <= cluster.blocks.size() ? cluster.blocks[upper - 1].get() : nullptr;
}

BlockContext* shared_owner(const BlockContext& from, const std::byte* host) {
  for (const auto& block : from.cluster->blocks) {
    const std::byte* base = block->shared.data();
    if (host >= base && host < base + block->shared.size()) return block.get();
  }
  return nullptr;
}

bool report_bad_cluster_shared(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                               const std::uint64_t* offsets, std::uint32_t width, AccessType type) {
  const std::uint64_t address = offsets[std::countr_zero(lanes)];
  const auto blocks = context.block->cluster->blocks.size();
  const std::uint64_t rank = address / kClusterStride - 1;
  const char* verb = type == AccessType::load ? "read" : "write";
  const BlockContext* owner = block_named(*context.block, address);
  const bool ended = owner != nullptr && owner->ended;
  Finding f = finding_at(context, in, lanes,
                         ended                      ? FindingKind::cluster_shared_after_exit
                         : type == AccessType::load ? FindingKind::oob_shared_read
                                                    : FindingKind::oob_shared_write);
  const std::string what =
      fmt::format("{}-byte {} of the shared memory of block rank {}", width, verb, rank);
  if (owner == nullptr) {
    f.message = fmt::format("{}, which the cluster does not have", what);
    f.got = fmt::format("rank {}", rank);
    f.want = fmt::format("a rank of 0 to {}", blocks - 1);
    f.next = "Compare the rank with cluster.num_blocks(); launch with a cluster dimension.";
  } else if (ended) {
    f.message = fmt::format("{} after that block has ended", what);
    f.got = fmt::format("block ({},{},{}) has no threads any more", owner->id.x, owner->id.y,
                        owner->id.z);
    f.want = "a block that stays until the others have done with its shared memory";
    f.next = "Put a cluster.sync() after the last access to another block's shared memory.";
  } else {
    const auto offset = static_cast<std::uint32_t>(address % kClusterStride);
    f.message = fmt::format("{} outside its arrays", what);
    f.got = shared_name(*context.block->launch, offset);
    f.want = "an offset inside a __shared__ array or the dynamic shared memory";
    f.next = "Compare the index with the array's size; it is the same in every block.";
  }
  log(context, std::move(f));
  return true;
}

void leave_cluster_barrier(WarpContext& context, std::uint32_t lanes) {
  Cluster& cluster = *context.block->cluster;
  if (cluster.observed) tell(*context.block, &Observer::cluster_leave, context, lanes);
  if (context.block->async != nullptr) {
    WarpAsync& state = async_of(context);
    for (std::uint32_t rest = lanes & state.at_cluster; rest != 0; rest &= rest - 1) {
      if (state.cluster_phase[std::countr_zero(rest)] == cluster.phase) --cluster.arrived;
    }
    state.at_cluster &= ~lanes;
  }
  complete_if_all_arrived(cluster);
}

const Inst* cluster_arrive(Warp& warp, const Inst& in) {
  WarpContext& context = *warp.context;
  Cluster& cluster = *context.block->cluster;
  WarpAsync& state = async_of(context);
  if (const std::uint32_t twice = state.at_cluster & warp.active; twice != 0) {
    Finding f = finding_at(context, in, twice, FindingKind::cluster_barrier);
    f.message = "a thread arrives at the cluster barrier twice without waiting in between";
    f.got = "barrier.cluster.arrive after barrier.cluster.arrive";
    f.want = "each arrive followed by a wait of the same thread";
    f.next = "Pair every cluster.barrier_arrive() with a cluster.barrier_wait().";
    log(context, std::move(f));
    return abort_launch(warp, in, LaunchStatus::barrier_error);
  }
  if ((context.block->watch & kEvents) != 0) {
    cluster.observed = true;
    tell_all(*context.block->launch, &Observer::cluster_arrive, context, in,
             (&in)[1].run == cluster_wait);
  }
  state.at_cluster |= warp.active;
  for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
    state.cluster_phase[std::countr_zero(rest)] = cluster.phase;
    ++cluster.arrived;
  }
  ++cluster.changes;
  complete_if_all_arrived(cluster);
  return &in + 1;
}

const Inst* cluster_wait(Warp& warp, const Inst& in) {
  WarpContext& context = *warp.context;
  const Cluster& cluster = *context.block->cluster;
  WarpAsync& state = async_of(context);
  if (const std::uint32_t early = warp.active & ~state.at_cluster; early != 0) {
    Finding f = finding_at(context, in, early, FindingKind::cluster_barrier);
    f.message = "a thread waits at the cluster barrier at which it has not arrived";
    f.got = "barrier.cluster.wait without barrier.cluster.arrive";
    f.want = "an arrive of the same thread before";
    f.next = "Pair every cluster.barrier_wait() with a cluster.barrier_arrive().";
    log(context, std::move(f));
    return abort_launch(warp, in, LaunchStatus::barrier_error);
  }
  std::uint32_t done = 0;
  for (std::uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (state.cluster_phase[static_cast<std::size_t>(lane)] < cluster.phase) done |= 1u << lane;
  }
  if (done == warp.active) {
    state.at_cluster &= ~done;
    if (cluster.observed) tell(*context.block, &Observer::cluster_wait, context);
    return &in + 1;
  }
  if (done != 0) return diverge_same(warp, in, done);
  if (context.run_start != &in) account(context, (&in)[-1]);
  WarpSplit& split = context.splits[context.current];
  split.pc = &in;
  split.state = WarpSplit::State::at_cluster_barrier;
  return reschedule(context);
}

}  // namespace warpsim
