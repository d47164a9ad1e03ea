#include <algorithm>
#include <bit>

#include "emulator/checkers/races/races.h"
#include "emulator/checkers/races/sync.h"
#include "emulator/machine/address.h"
#include "emulator/machine/async.h"

// A copy counts as a store of its thread when it is issued, which other threads' earlier accesses
// have to be ordered before, and once more when its thread has waited, which later ones have to be
// ordered after. What is read in between is found by the bytes' being in flight.

namespace warpsim {
namespace {

/// A copy of a range is made of accesses of this width.
constexpr std::uint32_t kCopyStep = 16;

bool in_cluster(const BlockContext& block) {
  return block.cluster->blocks.size() > 1;
}

}  // namespace

void RaceChecker::copy(WarpContext& context, const Inst& in, const std::uint64_t* to,
                       const std::uint64_t* from, std::uint32_t lanes, std::uint32_t reading,
                       std::uint32_t width) {
  alignas(64) std::uint32_t offset[kWarpSize];
  for (std::size_t i = 0; i < kWarpSize; ++i) offset[i] = static_cast<std::uint32_t>(to[i]);
  if (reading != 0) race_global(context, in, from, reading, width, AccessType::load, nullptr);
  race_shared(context, in, offset, lanes, width, AccessType::store, nullptr);
}

void RaceChecker::copy_landed(WarpContext& context, const CopyBatch& batch, std::uint32_t lanes) {
  // An instruction has its number in its own program only.
  if (batch.site.program != context.frame().program) return;
  race_shared(context, *batch.site.in, batch.to.data(), lanes, batch.width, AccessType::store,
              nullptr);
}

void RaceChecker::bulk_begin(WarpContext& context) {
  BlockContext& block = *context.block;
  if (!in_cluster(block)) return;
  races_of(block).order.step(context.warp.warp_index);
}

void RaceChecker::bulk(WarpContext& context, const Inst& in, std::size_t lane, std::uint64_t start,
                       std::uint32_t bytes, AccessType type) {
  std::uint64_t address[kWarpSize] = {};
  // A cluster's lines keep a run of bytes as one.
  const auto step =
      static_cast<std::uint32_t>(in_cluster(*context.block) ? kRaceLineBytes : kCopyStep);
  for (std::uint32_t at = 0; at < bytes;) {
    address[lane] = start + at;
    const std::uint32_t left = step - static_cast<std::uint32_t>(address[lane] % step);
    const std::uint32_t width = std::min(left, bytes - at);
    race_generic(context, in, address, 1u << lane, width, type, nullptr);
    at += width;
  }
}

void RaceChecker::release(WarpContext& context, std::uint32_t lanes, ObserverSlots& brought) {
  brought.put(
      kRaceSlot,
      std::make_shared<VectorClock>(
          races_of(*context.block).order.release(context.warp.warp_index, lanes, context.live)));
}

void RaceChecker::bulk_issued(WarpContext& context, std::size_t lane, ObserverSlots& here,
                              ObserverSlots& elsewhere) {
  BlockContext& block = *context.block;
  if (in_cluster(block)) {
    elsewhere.put(kRaceSlot, std::make_shared<VectorClock>(races_of(block).order.this_moment(
                                 context.warp.warp_index, 1u << lane)));
    race_settle(block);
  }
  release(context, 1u << lane, here);
}

void RaceChecker::mbarrier_init(BlockContext& block, std::uint32_t offset) {
  races_of(block).mbarriers.erase(offset);
}

void RaceChecker::mbarrier_arrive(BlockContext& block, std::uint32_t offset,
                                  const ObserverSlots& brought) {
  PhaseClock& barrier = races_of(block).mbarriers[offset];
  if (const auto* const clock = brought.get<VectorClock>(kRaceSlot)) barrier.arriving.join(*clock);
}

void RaceChecker::mbarrier_arrive_by(WarpContext& context, const Inst& in, BlockContext& owner,
                                     std::uint32_t offset, const ObserverSlots& brought) {
  if (!in_cluster(owner)) return mbarrier_arrive(owner, offset, brought);
  BlockContext& own = *context.block;
  const VectorClock& clock = *brought.get<VectorClock>(kRaceSlot);
  PhaseClock& barrier = races_of(owner).mbarriers[offset];
  const WarpOrder& order = races_of(own).order.warp(context.warp.warp_index);
  barrier.arriving_reads.join(order.known_reads);
  if (&owner == &own) {
    barrier.arriving.join(clock);
    return;
  }
  race_settle(own);
  const RaceSite& site = race_site_of(context, in);
  if (!site.relaxed && site.scope != SyncScope::block) {
    barrier.arriving.join(clock);
    return;
  }
  // An arrival for the block only, which is the default, says to another one no more than that what
  // was read before is there; so pipelines free their buffers. A fence before it says the rest.
  barrier.arriving.join(order.fenced_cluster);
  barrier.arriving_reads.join(clock);
}

void RaceChecker::mbarrier_complete(BlockContext& block, std::uint32_t offset) {
  PhaseClock& barrier = races_of(block).mbarriers[offset];
  barrier.completed.join(barrier.arriving);
  barrier.completed_reads.join(barrier.arriving_reads);
  barrier.arriving = barrier.arriving_reads = VectorClock();
}

void RaceChecker::mbarrier_wait(WarpContext& context, BlockContext& block, std::uint32_t offset) {
  const auto it = races_of(block).mbarriers.find(offset);
  if (it == races_of(block).mbarriers.end()) return;
  // The scope of the wait is not asked for: the usual one names the block, whoever arrives.
  race_learn(*context.block, context.warp.warp_index, it->second.completed);
  race_learn_reads(*context.block, context.warp.warp_index, it->second.completed_reads);
}

}  // namespace warpsim
