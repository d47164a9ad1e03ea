#include "emulator/machine/race_async.h"

#include <algorithm>
#include <bit>

#include "emulator/machine/address.h"
#include "emulator/machine/races.h"

namespace warpsim {
namespace {

/// A copy of a range is made of accesses of this width.
constexpr std::uint32_t kCopyStep = 16;

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

void race_bulk(WarpContext& context, const Inst& in, std::size_t lane, std::uint64_t start,
               std::uint32_t bytes, AccessType type) {
  if (context.block->races == nullptr) return;
  std::uint64_t address[kWarpSize] = {};
  for (std::uint32_t at = 0; at < bytes; at += kCopyStep) {
    address[lane] = start + at;
    race_generic(context, in, address, 1u << lane, std::min(kCopyStep, bytes - at), type, nullptr);
  }
}

Knowledge race_release(WarpContext& context, std::uint32_t lanes) {
  if (context.block->races == nullptr) return {};
  return context.block->races->order.release(context.warp.warp_index, lanes, context.live);
}

void race_mbarrier_init(BlockContext& block, std::uint32_t offset) {
  if (block.races != nullptr) block.races->mbarriers.erase(offset);
}

void race_mbarrier_arrive(BlockContext& block, std::uint32_t offset, const Knowledge& brought) {
  if (block.races != nullptr) block.races->mbarriers[offset].arriving.join(brought);
}

void race_mbarrier_complete(BlockContext& block, std::uint32_t offset) {
  if (block.races == nullptr) return;
  MbarrierKnowledge& barrier = block.races->mbarriers[offset];
  barrier.completed.join(barrier.arriving);
  barrier.arriving = Knowledge();
}

void race_mbarrier_wait(WarpContext& context, std::uint32_t offset) {
  BlockContext& block = *context.block;
  if (block.races == nullptr) return;
  if (const auto it = block.races->mbarriers.find(offset); it != block.races->mbarriers.end()) {
    race_learn(block, context.warp.warp_index, it->second.completed);
  }
}

}  // namespace warpsim
