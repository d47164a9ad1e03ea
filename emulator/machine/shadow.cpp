// Which bytes are initialized: a byte of shadow for each.

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/machine/access.h"
#include "emulator/machine/async.h"
#include "emulator/machine/cluster.h"
#include "emulator/machine/for_lanes.h"
#include "emulator/machine/tell.h"
#include "emulator/machine/written.h"

namespace warpsim {
namespace {

/// The shadow of a located lane's bytes in global memory, or null where nothing is tracked.
std::uint8_t* global_shadow(const WarpContext& context, std::uint64_t address) {
  const Extent* extent = context.block->launch->find(address);
  if (extent == nullptr || extent->allocation->written == nullptr) return nullptr;
  if (extent->allocation->all_written) return nullptr;
  return extent->allocation->written + (address - extent->base);
}

/// The shadow of a lane's bytes in whichever space they are in; null where nothing is tracked.
std::uint8_t* shadow_of(const WarpContext& context, const Located& at, std::size_t lane) {
  const std::byte* host = at.host[lane];
  const BlockContext& block = *context.block;
  const auto within = [&](const Buffer& buffer) {
    return host >= buffer.data() && host < buffer.data() + buffer.size();
  };
  if (within(block.shared)) return block.shared_written.bytes() + (host - block.shared.data());
  if (within(context.local)) return context.local_written.bytes() + (host - context.local.data());
  if (block.cluster->blocks.size() == 1) return global_shadow(context, at.address[lane]);
  if (const BlockContext* owner = shared_owner(block, host)) {
    return owner->shared_written.bytes() + (host - owner->shared.data());
  }
  return global_shadow(context, at.address[lane]);
}

ptx::Space space_of(const WarpContext& context, const Located& at, std::size_t lane) {
  const std::byte* host = at.host[lane];
  const BlockContext& block = *context.block;
  if (host >= block.shared.data() && host < block.shared.data() + block.shared.size()) {
    return ptx::Space::shared;
  }
  if (host >= context.local.data() && host < context.local.data() + context.local.size()) {
    return ptx::Space::local;
  }
  if (shared_owner(block, host) != nullptr) return ptx::Space::shared;
  return ptx::Space::global;
}

/// Lanes that access bytes in flight, which is a fault.
std::uint32_t find_in_flight(const WarpContext& context, const Inst& in, std::uint32_t width,
                             const Located& at) {
  std::uint32_t early = 0;
  const BlockContext* block = nullptr;
  std::uint32_t first = 0;
  for_lanes(at.lanes, [&](std::size_t lane) {
    const BlockContext* owner = shared_owner(*context.block, at.host[lane]);
    if (owner == nullptr) return;
    const auto offset = static_cast<std::uint32_t>(at.host[lane] - owner->shared.data());
    const void* found = std::memchr(owner->shared_written.bytes() + offset, kInFlight, width);
    if (found == nullptr) return;
    if (early == 0) {
      block = owner;
      first = static_cast<std::uint32_t>(static_cast<const std::uint8_t*>(found) -
                                         owner->shared_written.bytes());
    }
    early |= 1u << lane;
  });
  if (early != 0) raise(context, {faults::ReadInFlight{context, in, early, width, *block, first}});
  return early;
}

/// Whether an observer sees to uninitialized bytes that come into registers, and may never matter.
bool is_followed(WarpContext& context, const Inst& in, const Located& at, std::uint32_t lanes,
                 ptx::Space space) {
  return std::ranges::any_of(context.block->launch->observers, [&](Observer* observer) {
    return observer->load_uninitialized(context, in, at, lanes, space);
  });
}

}  // namespace

void check_written(WarpContext& context, const Inst& in, std::uint32_t width, const Located& at) {
  std::uint32_t bad = 0;
  for_lanes(at.lanes, [&](std::size_t lane) {
    const std::uint8_t* shadow = shadow_of(context, at, lane);
    if (shadow == nullptr) return;
    if (std::memchr(shadow, 0, width) != nullptr) bad |= 1u << lane;
  });
  // Bytes in flight are neither written nor uninitialized.
  const Cluster& cluster = *context.block->cluster;
  if (context.block->async != nullptr || cluster.blocks.size() > 1) {
    bad &= ~find_in_flight(context, in, width, at);
  }
  if (bad == 0) return;
  const auto lane = static_cast<std::size_t>(std::countr_zero(bad));
  const ptx::Space space = space_of(context, at, lane);
  if (is_followed(context, in, at, bad, space)) return;
  raise(context,
        {faults::Uninitialized{context, in, bad, ptx::name(space), at.address[lane], width}});
  // Once is enough for these bytes.
  for_lanes(bad, [&](std::size_t i) { std::memset(shadow_of(context, at, i), 1, width); });
}

void shuffle_undefined(WarpContext& context, const Inst& in, std::uint32_t lanes,
                       const std::uint32_t* source) {
  tell(*context.block, &Observer::shuffle_undefined, context, in, lanes, source);
}

void scan_shared(BlockContext& block) {
  const LaunchState& launch = *block.launch;
  block.scan_interval *= 2;
  block.until_scan = block.scan_interval;
  // Bytes in flight come and go, and other blocks of a cluster read this one's shadow.
  if (launch.program->asynchronous || block.cluster->blocks.size() > 1) return;
  const std::uint8_t* const shadow = block.shared_written.bytes();
  for (const SharedArray& array : launch.shared_arrays) {
    if (std::memchr(shadow + array.offset, 0, array.bytes) != nullptr) return;
  }
  block.watch &= ~std::uint32_t{kSharedInitialization};
}

void mark_written(WarpContext& context, std::uint32_t width, const Located& at) {
  for_lanes(at.lanes, [&](std::size_t lane) {
    std::uint8_t* const shadow = shadow_of(context, at, lane);
    if (shadow != nullptr) std::memset(shadow, written_by_store(width), width);
  });
}

}  // namespace warpsim
