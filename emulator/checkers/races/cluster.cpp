#include "emulator/checkers/races/cluster.h"

#include <algorithm>
#include <bit>

#include "emulator/checkers/races/races.h"
#include "emulator/checkers/races/sync.h"

namespace warpsim {
namespace {

std::uint64_t place_of(std::uint32_t rank, std::uint32_t offset) {
  return std::uint64_t{rank} * kClusterStride + offset;
}

/// A cluster of one block hears of its races when it first comes to the cluster's barrier.
ClusterRaces& races_at_barrier(BlockContext& block) {
  Cluster& cluster = *block.cluster;
  if (auto* const races = cluster.slots.get<ClusterRaces>(kRaceSlot)) return *races;
  cluster.slots.put(kRaceSlot, std::make_shared<ClusterRaces>(1));
  ClusterRaces& races = races_of(cluster);
  races_of(block).member.start();
  for (const auto& warp : block.warps) {
    const std::uint32_t gone = gone_lanes(*warp);
    if (gone == 0) continue;
    races.barrier.arriving.join(
        races_of(block).order.release(warp->warp.warp_index, gone, warp->live));
  }
  return races;
}

/// Judges what a block does to shared memory of the cluster.
void access_places(BlockContext& block, const WarpAccess& access, const std::uint64_t* places) {
  BlockRaces& races = races_of(block);
  races.member.lines.access(races.order, races.member.conflicts, access, places);
}

/// What was found in the cluster's space, by block.
void add_shared_conflicts(ConflictLog& from, std::uint64_t first_block, ConflictLog& to) {
  for (const std::uint32_t site : from.trusted()) to.trust(site);
  for (const ConflictLog::Entry& entry : from.take()) {
    Conflict conflict = entry.conflict;
    conflict.shared = true;
    conflict.owner_block = first_block + conflict.address / kClusterStride;
    conflict.address %= kClusterStride;
    to.add(conflict, entry.count);
  }
}

bool knew_at_end(const ClusterMember& member, std::uint64_t block, Epoch access) {
  return member.known_at_end.covers(block, access) ||
         (!access.write() && member.reads_known_at_end.covers(block, access));
}

/// Others' accesses to a block's shared memory have to be over when it ends: one of its threads has
/// to know of them.
void find_late_accesses(const BlockContext& owner, LaunchRaces& launch) {
  const ClusterRaces& cluster = races_of(*owner.cluster);
  const std::uint64_t first = place_of(owner.rank, 0) / kRaceLineBytes;
  const std::uint64_t lines = (owner.launch->shared_bytes + kRaceLineBytes - 1) / kRaceLineBytes;
  for (std::uint64_t number = first; number < first + lines; ++number) {
    for (const LineRun& run : cluster.lines.runs(number)) {
      if (run.block == owner.linear) continue;
      for (std::uint32_t lane = run.first; lane <= run.last; ++lane) {
        const Epoch epoch = run.what().with_lane(lane);
        if (knew_at_end(races_of(owner).member, run.block, epoch)) continue;
        LateAccess& late = launch.late[epoch.site()];
        const auto place = [](std::uint64_t block, Epoch s) {
          return std::tuple(block, s.warp(), s.lane());
        };
        if (late.count++ == 0 || place(run.block, epoch) < place(late.block, late.epoch)) {
          late.epoch = epoch;
          late.block = run.block;
          late.owner_block = owner.linear;
        }
      }
    }
  }
}

}  // namespace

void RaceChecker::start_cluster(Cluster& cluster) {
  const auto blocks = static_cast<std::uint32_t>(cluster.blocks.size());
  cluster.slots.put(kRaceSlot, std::make_shared<ClusterRaces>(blocks));
}

void RaceChecker::finish_cluster(Cluster& cluster) {
  if (cluster.blocks.size() == 1) return;
  const BlockContext& first = *cluster.blocks.front();
  LaunchRaces& launch = races_of(*first.launch);
  const std::lock_guard lock(launch.mutex);
  for (const auto& block : cluster.blocks) {
    if (block->ended) find_late_accesses(*block, launch);
    add_shared_conflicts(races_of(*block).member.conflicts, first.linear, launch.conflicts);
  }
  add_shared_conflicts(races_of(cluster).conflicts, first.linear, launch.conflicts);
}

void RaceChecker::cluster_arrive(WarpContext& context, const Inst& in, bool waits_next) {
  BlockContext& block = *context.block;
  PhaseClock& barrier = races_at_barrier(block).barrier;
  BlockRaces& races = races_of(block);
  const std::uint32_t index = context.warp.warp_index;
  const std::uint32_t lanes = context.warp.active;
  const bool relaxed = race_site_of(context, in).relaxed;
  if (block.cluster->blocks.size() > 1) race_settle(block);
  const WarpOrder& order = races.order.warp(index);
  const VectorClock brought = races.order.release(index, lanes, context.live);
  if (!relaxed) {
    barrier.arriving.join(brought);
  } else {
    barrier.arriving.join(order.fenced_cluster);
    // As after a volatile store: what was read is there.
    barrier.arriving_reads.join(brought);
  }
  barrier.arriving_reads.join(order.known_reads);
  races.member.arrived += static_cast<std::uint32_t>(std::popcount(lanes));
  races.member.split = races.member.split || relaxed || !waits_next;
}

void RaceChecker::cluster_complete(Cluster& cluster) {
  PhaseClock& barrier = races_of(cluster).barrier;
  // Who passed the phases before brings what they taught.
  barrier.completed = std::move(barrier.arriving);
  barrier.completed_reads = std::move(barrier.arriving_reads);
  barrier.arriving = barrier.arriving_reads = VectorClock();
  for (const auto& block : cluster.blocks) {
    if (block->ended) continue;
    ClusterMember& member = races_of(*block).member;
    member.to_pass = member.arrived;
    member.completed_at = member.split ? 0 : races_of(*block).order.moment();
    member.arrived = 0;
    member.split = false;
  }
}

void RaceChecker::cluster_wait(WarpContext& context) {
  BlockContext& block = *context.block;
  const PhaseClock& barrier = races_of(*block.cluster).barrier;
  BlockRaces& races = races_of(block);
  const std::uint32_t index = context.warp.warp_index;
  race_learn(block, index, barrier.completed);
  race_learn_reads(block, index, barrier.completed_reads);
  races.order.step(index);
  const auto passed = static_cast<std::uint32_t>(std::popcount(context.warp.active));
  races.member.to_pass -= std::min(races.member.to_pass, passed);
  // No thread did anything between arriving and waiting, so all of them know what is older.
  if (races.member.to_pass == 0) races.order.pass(races.member.completed_at);
}

void RaceChecker::cluster_leave(WarpContext& context, std::uint32_t lanes) {
  BlockContext& block = *context.block;
  BlockRaces& races = races_of(block);
  const std::uint32_t index = context.warp.warp_index;
  if (block.cluster->blocks.size() > 1) race_settle(block);
  PhaseClock& barrier = races_of(*block.cluster).barrier;
  barrier.arriving.join(races.order.release(index, lanes, context.live));
  const WarpOrder& order = races.order.warp(index);
  races.member.known_at_end.join(order.known);
  races.member.reads_known_at_end.join(order.known_reads);
}

void race_cluster_shared(WarpContext& context, const Inst& in, const std::uint32_t* offset,
                         std::uint32_t lanes, std::uint32_t width, AccessType type,
                         const StoredValues* values) {
  BlockContext& block = *context.block;
  const LaunchRaces& launch = races_of(*block.launch);
  const RaceSite& site = race_site_of(context, in);
  const bool strong = (site.traits & kStrongAccess) != 0;
  if (strong) race_begin_publishing(context, site, type);
  alignas(64) std::uint64_t place[kWarpSize] = {};
  std::uint32_t compared = 0;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::uint32_t upper = offset[lane] / kClusterStride;
    const std::uint32_t within = offset[lane] % kClusterStride;
    place[lane] = place_of(upper == 0 ? block.rank : upper - 1, within);
    const bool reserved = within >= launch.reserved_begin && within < launch.reserved_end;
    if (!reserved) compared |= 1u << lane;
  }
  if (compared != 0) {
    access_places(block, {race_epoch(context, site, lanes, type), compared, width, values}, place);
  }
  if (strong) {
    race_synchronise(context, site, races_of(*block.cluster).places, place, lanes, type);
  }
}

void race_cluster_shared_load(WarpContext& context, const Inst& in, std::uint32_t first,
                              const LaneShape& shape, std::uint32_t width) {
  const BlockContext& block = *context.block;
  const LaunchRaces& launch = races_of(*block.launch);
  if (first >= launch.reserved_begin && first < launch.reserved_end) return;
  BlockRaces& races = races_of(block);
  const RaceSite& site = race_site_of(context, in);
  const WarpAccess access{.epoch = race_epoch(context, site, shape.mask, AccessType::load),
                          .lanes = shape.mask,
                          .width = width,
                          .shape = &shape,
                          .first = place_of(block.rank, first)};
  races.member.lines.access(races.order, races.member.conflicts, access,
                            race_memo_of(context, in).pieces);
}

void RaceChecker::mbarrier_use(WarpContext& context, const Inst& in, const BlockContext& owner,
                               std::uint32_t offset, std::uint32_t lanes) {
  BlockContext& block = *context.block;
  if (owner.rank == block.rank) return;
  const RaceSite& site = race_site_of(context, in);
  // As a strong read: it meets other operations on the mbarrier, and needs the block to be there.
  const WarpOrder& order = races_of(block).order.warp(context.warp.warp_index);
  const Epoch epoch = Epoch::of(order.now, site.number, context.warp.warp_index, kStrongAccess);
  std::uint64_t place[kWarpSize];
  std::fill(std::begin(place), std::end(place), place_of(owner.rank, offset));
  access_places(block, {epoch, lanes, sizeof(std::uint64_t), nullptr}, place);
}

}  // namespace warpsim
