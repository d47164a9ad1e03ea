#include "emulator/machine/race_hooks.h"

#include <algorithm>
#include <bit>

#include "emulator/checkers/races/races.h"
#include "emulator/checkers/races/sync.h"
#include "emulator/machine/address.h"
#include "emulator/machine/async.h"

namespace warpsim {
namespace {

/// A copy of a range is made of accesses of this width.
constexpr std::uint32_t kCopyStep = 16;

bool in_cluster(const BlockContext& block) {
  return block.cluster->blocks.size() > 1;
}

}  // namespace

void race_copy(WarpContext& context, const Inst& in, const std::uint64_t* to,
               const std::uint64_t* from, std::uint32_t lanes, std::uint32_t reading,
               std::uint32_t width) {
  if (context.block->races == nullptr) return;
  alignas(64) std::uint32_t offset[kWarpSize];
  for (std::size_t i = 0; i < kWarpSize; ++i) offset[i] = static_cast<std::uint32_t>(to[i]);
  if (reading != 0) race_global(context, in, from, reading, width, AccessType::load, nullptr);
  race_shared(context, in, offset, lanes, width, AccessType::store, nullptr);
}

void race_copy_landed(WarpContext& context, const CopyBatch& batch, std::uint32_t lanes) {
  if (context.block->races == nullptr || lanes == 0) return;
  // An instruction has its number in its own program only.
  if (batch.site.program != context.frame().program) return;
  race_shared(context, *batch.site.in, batch.to.data(), lanes, batch.width, AccessType::store,
              nullptr);
}

void race_bulk_begin(WarpContext& context) {
  BlockContext& block = *context.block;
  if (block.races == nullptr || !in_cluster(block)) return;
  block.races->order.step(context.warp.warp_index);
}

void race_bulk(WarpContext& context, const Inst& in, std::size_t lane, std::uint64_t start,
               std::uint32_t bytes, AccessType type) {
  if (context.block->races == nullptr) return;
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

Brought race_release(WarpContext& context, std::uint32_t lanes) {
  if (context.block->races == nullptr) return nullptr;
  return std::make_shared<const VectorClock>(
      context.block->races->order.release(context.warp.warp_index, lanes, context.live));
}

CopyBrings race_bulk_issued(WarpContext& context, std::size_t lane) {
  BlockContext& block = *context.block;
  if (block.races == nullptr) return {};
  CopyBrings known;
  if (in_cluster(block)) {
    known.elsewhere = std::make_shared<const VectorClock>(
        block.races->order.this_moment(context.warp.warp_index, 1u << lane));
    race_settle(block);
  }
  known.here = race_release(context, 1u << lane);
  return known;
}

void race_mbarrier_init(BlockContext& block, std::uint32_t offset) {
  if (block.races != nullptr) block.races->mbarriers.erase(offset);
}

void race_mbarrier_arrive(BlockContext& block, std::uint32_t offset, const Brought& brought) {
  if (block.races == nullptr) return;
  PhaseClock& barrier = block.races->mbarriers[offset];
  if (brought != nullptr) barrier.arriving.join(*brought);
}

void race_mbarrier_arrive(WarpContext& context, const Inst& in, BlockContext& block,
                          std::uint32_t offset, const Brought& brought) {
  if (!in_cluster(block)) return race_mbarrier_arrive(block, offset, brought);
  BlockContext& own = *context.block;
  if (own.races == nullptr) return;
  PhaseClock& barrier = block.races->mbarriers[offset];
  const WarpOrder& order = own.races->order.warp(context.warp.warp_index);
  barrier.arriving_reads.join(order.known_reads);
  if (&block == &own) {
    barrier.arriving.join(*brought);
    return;
  }
  race_settle(own);
  const RaceSite& site = race_site_of(context, in);
  if (!site.relaxed && site.scope != SyncScope::block) {
    barrier.arriving.join(*brought);
    return;
  }
  // An arrival for the block only, which is the default, says to another one no more than that what
  // was read before is there; so pipelines free their buffers. A fence before it says the rest.
  barrier.arriving.join(order.fenced_cluster);
  barrier.arriving_reads.join(*brought);
}

void race_mbarrier_complete(BlockContext& block, std::uint32_t offset) {
  if (block.races == nullptr) return;
  PhaseClock& barrier = block.races->mbarriers[offset];
  barrier.completed.join(barrier.arriving);
  barrier.completed_reads.join(barrier.arriving_reads);
  barrier.arriving = barrier.arriving_reads = VectorClock();
}

void race_mbarrier_wait(WarpContext& context, BlockContext& block, std::uint32_t offset) {
  if (block.races == nullptr) return;
  const auto it = block.races->mbarriers.find(offset);
  if (it == block.races->mbarriers.end()) return;
  // The scope of the wait is not asked for: the usual one names the block, whoever arrives.
  race_learn(*context.block, context.warp.warp_index, it->second.completed);
  race_learn_reads(*context.block, context.warp.warp_index, it->second.completed_reads);
}

}  // namespace warpsim
