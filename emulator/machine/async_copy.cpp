#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/counters/patterns.h"
#include "emulator/machine/address.h"
#include "emulator/machine/async.h"
#include "emulator/machine/async_handlers.h"
#include "emulator/machine/cluster.h"
#include "emulator/machine/for_lanes.h"
#include "emulator/machine/tell.h"

// cp.async: each thread copies 4, 8 or 16 bytes from global to shared memory.

namespace warpsim {
namespace {

void count_copy(WarpContext& context, const Inst& in, const std::uint64_t* from,
                const std::uint64_t* to, std::uint32_t reading, std::uint32_t width) {
  if (!context.block->launch->options.checks.counters) return;
  if (reading != 0) count_global(context, in, from, reading, width);
  Counts& counts = context.tables->counts[in.index];
  alignas(64) std::uint32_t offset[kWarpSize];
  for (std::size_t i = 0; i < kWarpSize; ++i) offset[i] = static_cast<std::uint32_t>(to[i]);
  PatternMemo memo;  // the instruction's own remembers the global side
  const PatternCost cost = wavefront_cost(offset, context.warp.active, width, memo);
  counts.wavefronts += cost.passes;
  counts.ideal_wavefronts += cost.ideal;
}

/// Addresses that name a block of the cluster: of this one they become offsets. cp.async does not
/// reach other blocks; those lanes are reported and taken out.
void keep_own_block(WarpContext& context, const Inst& in, std::uint32_t width, Located& to) {
  std::uint64_t all = 0;
  for (const std::uint64_t address : to.address) all |= address;
  if (all < kClusterStride) return;
  const BlockContext& block = *context.block;
  std::uint32_t elsewhere = 0;
  for_lanes(to.lanes, [&](std::size_t lane) {
    if (block_named(block, to.address[lane]) != &block) elsewhere |= 1u << lane;
    to.address[lane] %= kClusterStride;
  });
  if (elsewhere == 0) return;
  Finding f = finding_at(context, in, elsewhere, FindingKind::oob_shared_write);
  f.message = fmt::format("{}-byte cp.async into the shared memory of another block", width);
  f.got = "an address that map_shared_rank() made";
  f.want = "a place in the block's own shared memory";
  f.next = "Use cp.async.bulk for copies into other blocks of the cluster.";
  log(context, std::move(f));
  to.lanes &= ~elsewhere;
  to.fatal = true;
}

/// Lanes that do what the lane before them does: cooperative groups let the lanes that are left
/// over copy the last piece again. One of them copies.
std::uint32_t repeating_lanes(std::uint32_t lanes, const Located& to, const Located& from,
                              const std::uint32_t* size) {
  std::uint32_t repeating = 0;
  std::size_t before = kWarpSize;
  for_lanes(lanes, [&](std::size_t lane) {
    if (before < kWarpSize && to.address[lane] == to.address[before] &&
        from.address[lane] == from.address[before] && size[lane] == size[before]) {
      repeating |= 1u << lane;
    }
    before = lane;
  });
  return repeating;
}

void deliver_lane(BlockContext& block, CopyBatch& batch, std::size_t lane) {
  const std::uint32_t bytes = batch.source_bytes[lane];
  if (bytes > 0 && std::memcmp(batch.issued[lane].data(), batch.from[lane], bytes) != 0) {
    raise(*block.launch, {faults::SourceChanged{batch.site, 0}});
  }
  land(block, batch.to[lane], batch.width, batch.site);
  std::byte* to = block.shared.data() + batch.to[lane];
  std::memset(to, 0, batch.width);
  if (bytes > 0) std::memcpy(to, batch.from[lane], bytes);
  batch.lanes &= ~(1u << lane);
}

template <class F>
void deliver_if(WarpContext& context, std::uint32_t lanes, F due) {
  WarpAsync& state = async_of(context);
  for (CopyBatch& batch : state.batches) {
    for_lanes(batch.lanes & lanes, [&](std::size_t lane) {
      if (due(batch, lane)) deliver_lane(*context.block, batch, lane);
    });
  }
  std::erase_if(state.batches, [](const CopyBatch& batch) { return batch.lanes == 0; });
}

/// The active lanes wait for those of their copies that are due.
template <class F>
void wait_for(Warp& warp, F due) {
  WarpContext& context = *warp.context;
  for (const CopyBatch& batch : async_of(context).batches) {
    std::uint32_t lanes = 0;
    for_lanes(batch.lanes & warp.active,
              [&](std::size_t lane) { lanes |= due(batch, lane) ? 1u << lane : 0; });
    if (lanes != 0) tell(*context.block, &Observer::copy_landed, context, batch, lanes);
  }
  deliver_if(context, warp.active, due);
}

}  // namespace

void put_in_flight(BlockContext& block, std::uint32_t offset, std::uint32_t bytes,
                   const AsyncSite& site) {
  std::uint8_t* shadow = block.shared_written.bytes() + offset;
  if (std::memchr(shadow, kInFlight, bytes) != nullptr) {
    raise(*block.launch, {faults::CopiesOverlap{block, offset, site}});
  }
  std::memset(shadow, kInFlight, bytes);
}

void land(BlockContext& block, std::uint32_t offset, std::uint32_t bytes, const AsyncSite& site) {
  std::uint8_t* shadow = block.shared_written.bytes() + offset;
  for (std::uint32_t i = 0; i < bytes; ++i) {
    if (shadow[i] == kInFlight) continue;
    raise(*block.launch, {faults::CopyOverwritten{block, offset, site}});
    break;
  }
  std::memset(shadow, 1, bytes);
}

void deliver_batches(WarpContext& context, std::uint32_t lanes, std::uint64_t before) {
  deliver_if(context, lanes,
             [&](const CopyBatch& batch, std::size_t) { return batch.number < before; });
}

const Inst* copy_async(Warp& warp, const Inst& in) {
  WarpContext& context = *warp.context;
  BlockContext& block = *context.block;
  const auto& operands = *static_cast<const AsyncOperands*>(in.extra);
  const std::uint32_t active = warp.active;
  const std::uint32_t width = in.width;

  Located to;
  generic_addresses(warp, operands.to, to.address);
  for (std::uint64_t& address : to.address) address -= kSharedWindow;
  Located from;
  generic_addresses(warp, operands.from, from.address);
  if (check_alignment(context, in, to.address, width, "shared")) {
    return abort_launch(warp, in, LaunchStatus::misaligned);
  }

  std::uint32_t size[kWarpSize];
  std::uint32_t reading = 0;
  std::uint32_t ignored = 0;
  if (operands.ignore >= 0) {
    ignored = warp.pred(operands.ignore) ^ (operands.ignore_negated ? kFullMask : 0);
  }
  for_lanes(active, [&](std::size_t lane) {
    size[lane] = width;
    if (operands.size >= 0) {
      size[lane] = std::min(warp.reg<std::uint32_t>(operands.size)[lane], width);
    }
    if ((ignored >> lane) & 1) size[lane] = 0;
    if (size[lane] > 0) reading |= 1u << lane;
  });
  count_copy(context, in, from.address, to.address, reading, width);

  bool misaligned = false;
  if (reading != 0) {
    warp.active = reading;
    misaligned = check_alignment(context, in, from.address, width, "global");
    // Lanes may read less than they write: each size is a read of its own.
    std::uint32_t left = misaligned ? 0 : reading;
    std::uint32_t good = 0;
    while (left != 0) {
      const std::uint32_t bytes = size[std::countr_zero(left)];
      std::uint32_t same = 0;
      for_lanes(left, [&](std::size_t lane) { same |= size[lane] == bytes ? 1u << lane : 0; });
      left &= ~same;
      warp.active = same;
      locate_global(context, in, bytes, AccessType::load, from);
      if (block.launch->options.checks.unwritten) check_written(context, in, bytes, from);
      good |= from.lanes;
      if (from.fatal) to.fatal = true;
    }
    from.lanes = good;
    warp.active = active;
  }
  if (misaligned) return abort_launch(warp, in, LaunchStatus::misaligned);
  const bool source_fatal = to.fatal;
  to.fatal = false;
  locate_shared(context, in, width, AccessType::store, to);
  keep_own_block(context, in, width, to);
  to.fatal = to.fatal || source_fatal;

  WarpAsync& state = async_of(context);
  CopyBatch& batch = state.batches.emplace_back();
  batch.site = site_of(context, in, active);
  batch.number = state.copies++;
  batch.width = width;
  batch.lanes = to.lanes & ~(reading & ~from.lanes);
  batch.lanes &= ~repeating_lanes(batch.lanes, to, from, size);
  for_lanes(batch.lanes, [&](std::size_t lane) {
    batch.group[lane] = state.open_group[lane];
    batch.to[lane] = static_cast<std::uint32_t>(to.address[lane]);
    batch.source_bytes[lane] = static_cast<std::uint8_t>(size[lane]);
    if (size[lane] > 0) {
      batch.from[lane] = from.host[lane];
      std::memcpy(batch.issued[lane].data(), from.host[lane], size[lane]);
    }
    put_in_flight(block, batch.to[lane], width, batch.site);
  });
  tell(block, &Observer::copy, context, in, to.address, from.address, batch.lanes,
       reading & batch.lanes, width);
  for_lanes(reading & batch.lanes, [&](std::size_t lane) {
    tell_transfer(context, in, from.address[lane], size[lane], AccessType::load);
  });
  if (to.fatal) return abort_launch(warp, in, LaunchStatus::illegal_address);
  return &in + 1;
}

const Inst* commit_copies(Warp& warp, const Inst& in) {
  WarpAsync& state = async_of(*warp.context);
  for_lanes(warp.active, [&](std::size_t lane) { ++state.open_group[lane]; });
  return &in + 1;
}

const Inst* wait_copies(Warp& warp, const Inst& in) {
  const std::uint64_t newest = in.imm;  // groups that may stay in flight
  const WarpAsync& state = async_of(*warp.context);
  wait_for(warp, [&](const CopyBatch& batch, std::size_t lane) {
    return batch.group[lane] + newest < state.open_group[lane];
  });
  return &in + 1;
}

const Inst* wait_all_copies(Warp& warp, const Inst& in) {
  wait_for(warp, [](const CopyBatch&, std::size_t) { return true; });
  return &in + 1;
}

}  // namespace warpsim
