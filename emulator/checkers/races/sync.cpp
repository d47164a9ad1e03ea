#include "emulator/checkers/races/sync.h"

#include <bit>

#include "emulator/checkers/races/races.h"

namespace warpsim {
namespace {

/// With more places than this, a write that publishes is known by its warp's instruction, not by
/// its lane: who has learned of one lane's takes the others' as known, too. A race with such a word
/// itself may go unseen, and threads that learned of different lanes come to know the same.
constexpr std::size_t kManyPlaces = 4096;

bool in_one_cluster(const LaunchRaces& launch, std::uint64_t a, std::uint64_t b) {
  return a / launch.cluster_blocks == b / launch.cluster_blocks;
}

/// True when all that was published is known, but for the last write. A thread's knowledge is
/// handed on as a whole: who knows what the writer's block had done knows what it knew, too.
/// Without this, threads that take many locks would compare all they know again and again.
bool includes_fenced(const VectorClock& known, const SyncPlace::Published& published,
                     std::uint64_t writer) {
  if (!published.fenced) return false;
  const BlockClock* ours = known.find(writer);
  const BlockClock* theirs = published.what.find(writer);
  return ours != nullptr && theirs != nullptr && !ours->folded && !theirs->folded &&
         ours->includes(*theirs);
}

bool includes_last(const VectorClock& known, const SyncPlace& place) {
  const BlockClock* ours = known.find(place.writer);
  return ours != nullptr && ours->includes(place.last);
}

void learn(BlockContext& block, std::uint32_t warp, const SyncPlace::Published& published,
           std::uint64_t writer) {
  // Blocks of a cluster learn in further ways, of parts of what others know.
  const bool whole = races_of(*block.launch).cluster_blocks == 1;
  if (whole && includes_fenced(races_of(block).order.warp(warp).known, published, writer)) return;
  race_learn(block, warp, published.what);
}

void learn_last(BlockContext& block, std::uint32_t warp, const SyncPlace& place) {
  if (includes_last(races_of(block).order.warp(warp).known, place)) return;
  race_learn(block, warp, place.last_write());
}

/// Adds what a fence published to what a place has. @param all  of what was there, the writer knows
void publish(SyncPlace::Published& published, const VectorClock& fenced, bool all) {
  if (all) published.what = VectorClock();
  published.what.join(fenced);
  published.fenced = published.what.is(fenced);
}

void acquire(WarpContext& context, const RaceSite& site, const SyncPlace& place, bool all_see) {
  BlockContext& block = *context.block;
  BlockOrder& order = races_of(block).order;
  const LaunchRaces& launch = races_of(*block.launch);
  const std::uint32_t index = context.warp.warp_index;
  if (all_see) {
    learn(block, index, place.device, place.writer);
    if (place.last_for_device) learn_last(block, index, place);
    order.learn_reads(index, place.reads);
  }
  if (launch.cluster_blocks > 1 && site.scope != SyncScope::block &&
      in_one_cluster(launch, place.writer, order.block())) {
    race_learn(block, index, place.cluster);
    if (place.last_for_cluster) learn_last(block, index, place);
  }
  if (place.writer != order.block()) race_intend(block, index, place.intended);
  if (place.writer == order.block()) {
    learn(block, index, place.block, place.writer);
    if (place.last.lanes != 0) learn_last(block, index, place);
  }
}

/// What a strong access at `address` teaches the warp and what it publishes there.
void synchronise(WarpContext& context, const RaceSite& site, SyncPlaces& places,
                 std::uint64_t address, std::uint32_t lanes, AccessType type) {
  BlockContext& block = *context.block;
  BlockRaces& races = races_of(block);
  const LaunchRaces& launch = races_of(*block.launch);
  const std::uint32_t index = context.warp.warp_index;
  const WarpOrder& order = races.order.warp(index);
  const bool global = &places == &launch.places;
  const bool of_block = &places == &races.shared_places;
  // Whoever can access the place is in the instruction's scope.
  const bool all_see =
      global || of_block ? site.scope == SyncScope::device : site.scope != SyncScope::block;
  const auto found = places.empty() ? places.end() : places.find(address);
  // The fence or barrier after an acquiring read is not asked for: a branch on the value and a
  // barrier is the form that CUDA's own samples use.
  if (type != AccessType::store && found != places.end()) {
    acquire(context, site, found->second, all_see);
  }
  if (type == AccessType::load) return;
  if (order.fenced_block.empty()) {
    // A store without a fence ends what earlier ones published; an update carries it on.
    if (type != AccessType::store) return;
    if (found != places.end()) places.erase(found);
    // CUB's scans and selections signal like this that what they read may be overwritten.
    if (!of_block && all_see && std::has_single_bit(context.warp.active)) {
      race_settle(block);
      places[address].reads = races.order.reads(index, lanes, context.live);
    }
    return;
  }
  SyncPlace& place = found != places.end() ? found->second : places[address];
  if (type == AccessType::store) place = SyncPlace{};
  const bool alone = launch.cluster_blocks == 1;
  const auto superseded = [&](const SyncPlace::Published& published, const VectorClock& fenced) {
    return alone && includes_last(fenced, place) &&
           includes_fenced(fenced, published, place.writer);
  };
  const bool device_anew = superseded(place.device, order.fenced_device);
  const bool block_anew = superseded(place.block, order.fenced_block);
  if (place.last.lanes != 0 && !(device_anew && block_anew)) {
    const VectorClock before = place.last_write();
    if (place.last_for_device) place.device.what.join(before);
    if (place.last_for_cluster) place.cluster.join(before);
    place.block.what.join(before);
  }
  const std::uint32_t told = places.size() > kManyPlaces ? context.warp.active : lanes;
  place.last = {index, told, order.now, order.now};
  place.last_for_device = site.scope == SyncScope::device && !order.fenced_device.empty();
  if (place.last_for_device) publish(place.device, order.fenced_device, device_anew);
  place.last_for_cluster = site.scope != SyncScope::block && !order.fenced_cluster.empty();
  if (place.last_for_cluster) {
    if (!in_one_cluster(launch, place.writer, races.order.block())) place.cluster = VectorClock();
    place.cluster.join(order.fenced_cluster);
  }
  if (place.writer != races.order.block()) place.block = {};
  place.writer = races.order.block();
  publish(place.block, order.fenced_block, block_anew);
  // Where every fence and this access reach all blocks, what was meant is what was said.
  if (global && (races.order.has_narrow_fence() || site.scope != SyncScope::device)) {
    place.intended.join(order.fenced_block);
  }
}

template <class Address>
void synchronise_lanes(WarpContext& context, const RaceSite& site, SyncPlaces& places,
                       const Address* address, std::uint32_t lanes, AccessType type) {
  // Nothing is published here, and without a fence an update publishes nothing.
  const WarpOrder& warp = races_of(*context.block).order.warp(context.warp.warp_index);
  const bool publishes = type == AccessType::store || !warp.fenced_block.empty();
  if (places.empty() && (type == AccessType::load || !publishes)) return;
  std::uint32_t left = lanes;
  while (left != 0) {
    const std::uint64_t place = address[std::countr_zero(left)];
    std::uint32_t here = 0;
    for (std::uint32_t rest = left; rest != 0; rest &= rest - 1) {
      if (address[std::countr_zero(rest)] == place) here |= rest & (~rest + 1);
    }
    left &= ~here;
    synchronise(context, site, places, place, here, type);
  }
  BlockOrder& order = races_of(*context.block).order;
  const std::uint32_t index = context.warp.warp_index;
  if (type != AccessType::load && !order.warp(index).fenced_block.empty()) {
    // What was published includes the write itself, so it has to be compared before others know it.
    if (races_of(*context.block->launch).blocks_may_wait) race_settle(*context.block);
    order.step(index);
  }
}

void fence(WarpContext& context, SyncScope scope) {
  BlockContext& block = *context.block;
  const LaunchRaces& launch = races_of(*block.launch);
  const bool in_cluster = launch.cluster_blocks > 1;
  if (!launch.blocks_may_wait || (scope == SyncScope::cluster && !in_cluster))
    scope = SyncScope::block;
  // Who learns of this block's accesses finds them in the grid's shadow.
  if (scope != SyncScope::block) race_settle(block);
  races_of(block).order.fence(context.warp.warp_index, context.warp.active, context.live, scope,
                              in_cluster);
}

}  // namespace

VectorClock SyncPlace::last_write() const {
  BlockClock itself;
  itself.add(last);
  VectorClock what;
  what.add(writer, itself);
  return what;
}

void race_settle(BlockContext& block) {
  LaunchRaces& launch = races_of(*block.launch);
  BlockRaces& races = races_of(block);
  races.lines.settle([&](const BlockLines::Line& line) {
    launch.grid.add(line, &races.order, launch.among_blocks);
  });
  if (launch.cluster_blocks == 1) return;
  ClusterRaces& cluster = races_of(*block.cluster);
  races.member.lines.settle([&](const BlockLines::Line& line) {
    cluster.lines.add(line, &races.order, cluster.conflicts);
  });
}

void race_learn(BlockContext& block, std::uint32_t warp, const VectorClock& what) {
  BlockOrder& order = races_of(block).order;
  if (what.empty() || order.warp(warp).known.is(what)) return;
  // What the block did before was done without.
  if (races_of(*block.launch).blocks_may_wait) race_settle(block);
  order.learn(warp, what);
}

void race_intend(BlockContext& block, std::uint32_t warp, const VectorClock& what) {
  BlockOrder& order = races_of(block).order;
  if (what.empty() || order.warp(warp).intended.is(what)) return;
  if (races_of(*block.launch).blocks_may_wait) race_settle(block);
  order.intend(warp, what);
}

void race_learn_reads(BlockContext& block, std::uint32_t warp, const VectorClock& what) {
  if (what.empty()) return;
  if (races_of(*block.launch).blocks_may_wait) race_settle(block);
  races_of(block).order.learn_reads(warp, what);
}

void race_begin_publishing(WarpContext& context, const RaceSite& site, AccessType type) {
  BlockOrder& order = races_of(*context.block).order;
  const std::uint32_t index = context.warp.warp_index;
  if ((site.traits & kStrongAccess) == 0 || type == AccessType::load) return;
  if (site.releases) fence(context, site.scope);
  if (!order.warp(index).fenced_block.empty()) order.step(index);
}

void race_synchronise(WarpContext& context, const RaceSite& site, SyncPlaces& places,
                      const std::uint64_t* address, std::uint32_t lanes, AccessType type) {
  synchronise_lanes(context, site, places, address, lanes, type);
}

void race_synchronise(WarpContext& context, const RaceSite& site, SyncPlaces& places,
                      const std::uint32_t* offset, std::uint32_t lanes, AccessType type) {
  synchronise_lanes(context, site, places, offset, lanes, type);
}

void race_fence(WarpContext& context, const Inst& in) {
  fence(context, race_site_of(context, in).scope);
}

}  // namespace warpsim
