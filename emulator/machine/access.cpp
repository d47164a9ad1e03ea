#include "emulator/machine/access.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/machine/address.h"
#include "emulator/machine/async.h"
#include "emulator/machine/cluster.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/tracking.h"

namespace warpsim {
namespace {

template <class F>
void for_lanes(std::uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<std::size_t>(std::countr_zero(mask)));
}

/// The shadow of a located lane's bytes in global memory, or null where nothing is tracked.
std::uint8_t* global_shadow(const WarpContext& context, std::uint64_t address) {
  const Extent* extent = context.block->launch->find(address);
  if (extent == nullptr || extent->allocation->written == nullptr) return nullptr;
  if (extent->allocation->all_written) return nullptr;
  return extent->allocation->written + (address - extent->base);
}

const SharedArray* shared_array(const LaunchState& launch, std::uint64_t offset,
                                std::uint32_t width) {
  for (const SharedArray& array : launch.shared_arrays) {
    if (offset >= array.offset && offset + width <= std::uint64_t{array.offset} + array.bytes) {
      return &array;
    }
  }
  return nullptr;
}

/// Bytes of a lane's local memory that its functions have.
std::uint64_t local_limit(const WarpContext& context) {
  const Frame& frame = context.frame();
  return std::uint64_t{frame.local_base} + frame.program->local_bytes;
}

enum class Window { global, shared, local, parameter };

Window window_of(std::uint64_t address) {
  if (in_window(address, kSharedWindow)) return Window::shared;
  if (in_window(address, kLocalWindow)) return Window::local;
  if (in_window(address, kParamWindow)) return Window::parameter;
  return Window::global;
}

Counts& counts_of(WarpContext& context, const Inst& in) {
  return context.tables->counts[in.index];
}

PatternMemo& pattern_of(WarpContext& context, const Inst& in) {
  return context.tables->memos[in.index].pattern;
}

void add_traffic(Counts& counts, std::uint32_t mask, std::uint32_t width) {
  ++counts.requests;
  counts.bytes += static_cast<std::uint64_t>(std::popcount(mask)) * width;
}

}  // namespace

void locate_global(WarpContext& context, const Inst& in, std::uint32_t width, AccessType type,
                   Located& at) {
  const LaunchState& launch = *context.block->launch;
  InstMemo& memo = context.tables->memos[in.index];
  std::uint32_t bad = 0;
  std::uint32_t constant = 0;
  at.lanes = 0;
  for_lanes(context.warp.active, [&](std::size_t lane) {
    const std::uint64_t address = at.address[lane];
    if (!(address - memo.base < memo.end - memo.base && memo.end - address >= width)) {
      const Extent* extent = launch.find(address);
      if (extent == nullptr || extent->end - address < width) {
        bad |= 1u << lane;
        return;
      }
      memo.base = extent->base;
      memo.end = extent->end;
      memo.allocation = extent->allocation;
      memo.to_host = reinterpret_cast<std::ptrdiff_t>(extent->allocation->host) -
                     static_cast<std::ptrdiff_t>(extent->base);
    }
    if (type != AccessType::load && memo.allocation->kind == GlobalMemory::Kind::constant) {
      constant |= 1u << lane;
      return;
    }
    at.lanes |= 1u << lane;
    at.host[lane] =
        reinterpret_cast<std::byte*>(address + static_cast<std::uint64_t>(memo.to_host));
  });
  if (bad != 0) at.fatal = report_bad_global(context, in, bad, at.address, width, type);
  if (constant != 0) {
    report_write_to_constant(context, in, constant, at.address[std::countr_zero(constant)]);
    at.fatal = true;
  }
}

void locate_shared(WarpContext& context, const Inst& in, std::uint32_t width, AccessType type,
                   Located& at) {
  const BlockContext& block = *context.block;
  InstMemo& memo = context.tables->memos[in.index];
  std::uint32_t bad = 0;
  std::uint32_t bad_remote = 0;  // through the cluster's window
  at.lanes = 0;
  alignas(64) std::uint32_t offsets[kWarpSize] = {};
  for_lanes(context.warp.active, [&](std::size_t lane) {
    const std::uint64_t offset = at.address[lane];
    offsets[lane] = static_cast<std::uint32_t>(offset);
    if (offset >= kClusterStride && offset < (kMaxClusterBlocks + 1) * kClusterStride) {
      const BlockContext* owner = block_named(block, offset);
      const std::uint64_t within = offset % kClusterStride;
      const bool good = owner != nullptr && !owner->ended &&
                        shared_array(*block.launch, within, width) != nullptr;
      if (good) {
        at.lanes |= 1u << lane;
        at.host[lane] = owner->shared.data() + within;
        return;
      }
      if (block.cluster->blocks.size() > 1) {
        bad_remote |= 1u << lane;
        return;
      }
    }
    const SharedArray* array = shared_array(*block.launch, offset, width);
    if (array == nullptr) {
      bad |= 1u << lane;
      return;
    }
    memo.base = array->offset;
    memo.end = std::uint64_t{array->offset} + array->bytes;
    at.lanes |= 1u << lane;
    at.host[lane] = block.shared.data() + offset;
  });
  if (bad != 0) at.fatal = report_bad_shared(context, in, bad, offsets, width, type);
  if (bad_remote != 0) {
    at.fatal =
        report_bad_cluster_shared(context, in, bad_remote, at.address, width, type) || at.fatal;
  }
}

void locate_local(WarpContext& context, const Inst& in, std::uint32_t width, AccessType type,
                  Located& at) {
  const std::uint64_t limit = local_limit(context);
  std::uint32_t bad = 0;
  at.lanes = 0;
  for_lanes(context.warp.active, [&](std::size_t lane) {
    const std::uint64_t offset = at.address[lane];
    if (offset > limit || limit - offset < width) {
      bad |= 1u << lane;
      return;
    }
    at.lanes |= 1u << lane;
    at.host[lane] = context.local.data() + lane * context.local_stride + offset;
  });
  if (bad != 0) {
    report_bad_local(context, in, bad, at.address, width, type);
    at.fatal = true;
  }
}

void locate_generic(WarpContext& context, const Inst& in, std::uint32_t width, AccessType type,
                    Located& at) {
  // Lanes of one window at a time, each by the rules of its space.
  const LaunchState& launch = *context.block->launch;
  const std::uint32_t all = context.warp.active;
  std::uint32_t good = 0;
  bool fatal = false;
  std::uint32_t left = all;
  while (left != 0) {
    const Window window = window_of(at.address[std::countr_zero(left)]);
    std::uint32_t lanes = 0;
    for_lanes(left, [&](std::size_t lane) {
      if (window_of(at.address[lane]) == window) lanes |= 1u << lane;
    });
    left &= ~lanes;
    Located part;
    std::copy(std::begin(at.address), std::end(at.address), std::begin(part.address));
    context.warp.active = lanes;
    const auto shift = [&](std::uint64_t base) {
      for_lanes(lanes, [&](std::size_t lane) { part.address[lane] -= base; });
    };
    switch (window) {
      case Window::global:
        if (launch.options.checks.counters) {
          if (type == AccessType::atomic) {
            count_global_atomic(context, in, at.address, lanes, width);
          } else {
            count_global(context, in, at.address, lanes, width);
          }
        }
        locate_global(context, in, width, type, part);
        break;
      case Window::shared:
        shift(kSharedWindow);
        locate_shared(context, in, width, type, part);
        break;
      case Window::local:
        shift(kLocalWindow);
        locate_local(context, in, width, type, part);
        break;
      case Window::parameter:
        shift(kParamWindow);
        for_lanes(lanes, [&](std::size_t lane) {
          if (part.address[lane] + width > launch.parameters.size()) return;
          part.lanes |= 1u << lane;
          // Parameters are constant: the emulator only ever reads through this pointer.
          part.host[lane] = const_cast<std::byte*>(launch.parameters.data()) + part.address[lane];
        });
        break;
    }
    if (launch.options.checks.unwritten || type != AccessType::load) {
      context.warp.active = part.lanes;
      if (type == AccessType::load) {
        if (window != Window::parameter) check_written(context, in, width, part);
      } else {
        mark_written(context, width, part);
      }
    }
    for_lanes(part.lanes, [&](std::size_t lane) { at.host[lane] = part.host[lane]; });
    good |= part.lanes;
    fatal = fatal || part.fatal;
  }
  context.warp.active = all;
  at.lanes = good;
  at.fatal = fatal;
  // The windows' own searches would mistake offsets of one space for another's.
  context.tables->memos[in.index] = InstMemo{};
}

bool check_alignment(WarpContext& context, const Inst& in, const std::uint64_t* address,
                     std::uint32_t align, const char* space) {
  std::uint32_t bad = 0;
  for_lanes(context.warp.active, [&](std::size_t lane) {
    if (address[lane] % align != 0) bad |= 1u << lane;
  });
  if (bad == 0) return false;
  report_misaligned(context, in, bad, address[std::countr_zero(bad)], align, space);
  return true;
}

namespace {

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

}  // namespace

void check_written(WarpContext& context, const Inst& in, std::uint32_t width, const Located& at) {
  std::uint32_t bad = 0;
  for_lanes(at.lanes, [&](std::size_t lane) {
    const std::uint8_t* shadow = shadow_of(context, at, lane);
    if (shadow == nullptr) return;
    if (std::memchr(shadow, 0, width) != nullptr) bad |= 1u << lane;
  });
  // Bytes in flight are neither written nor unwritten.
  const Cluster& cluster = *context.block->cluster;
  if (context.block->async != nullptr || cluster.blocks.size() > 1) {
    bad &= ~report_in_flight(context, in, width, at);
  }
  if (bad == 0) return;
  const auto lane = static_cast<std::size_t>(std::countr_zero(bad));
  const ptx::Space space = space_of(context, at, lane);
  // What comes into a register may never matter; see tracking.h.
  if (track_load(context, in, at, bad, space)) return;
  report_unwritten(context, in, bad, ptx::name(space), at.address[lane], width);
  // Once is enough for these bytes.
  for_lanes(bad, [&](std::size_t i) { std::memset(shadow_of(context, at, i), 1, width); });
}

void mark_written(WarpContext& context, std::uint32_t width, const Located& at) {
  for_lanes(at.lanes, [&](std::size_t lane) {
    if (std::uint8_t* shadow = shadow_of(context, at, lane)) std::memset(shadow, 1, width);
  });
}

void count_global(WarpContext& context, const Inst& in, const std::uint64_t* address,
                  std::uint32_t mask, std::uint32_t width) {
  Counts& counts = counts_of(context, in);
  add_traffic(counts, mask, width);
  const PatternCost cost = sector_cost(address, mask, width, pattern_of(context, in));
  counts.sectors += cost.passes;
  counts.ideal_sectors += cost.ideal;
}

void count_global_atomic(WarpContext& context, const Inst& in, const std::uint64_t* address,
                         std::uint32_t mask, std::uint32_t width) {
  Counts& counts = counts_of(context, in);
  add_traffic(counts, mask, width);
  const PatternCost cost = atomic_cost(address, mask, width, pattern_of(context, in));
  counts.sectors += cost.passes;
  counts.ideal_sectors += cost.ideal;
  counts.max_multiplicity += cost.multiplicity;
}

void count_shared(WarpContext& context, const Inst& in, const std::uint32_t* offset,
                  std::uint32_t mask, std::uint32_t width) {
  Counts& counts = counts_of(context, in);
  add_traffic(counts, mask, width);
  const PatternCost cost = wavefront_cost(offset, mask, width, pattern_of(context, in));
  counts.wavefronts += cost.passes;
  counts.ideal_wavefronts += cost.ideal;
}

void count_shared_atomic(WarpContext& context, const Inst& in, const std::uint32_t* offset,
                         std::uint32_t mask, std::uint32_t width) {
  Counts& counts = counts_of(context, in);
  add_traffic(counts, mask, width);
  const PatternCost cost = shared_atomic_cost(offset, mask, width, pattern_of(context, in));
  counts.wavefronts += cost.passes;
  counts.ideal_wavefronts += cost.ideal;
  counts.max_multiplicity += cost.multiplicity;
}

void count_local(WarpContext& context, const Inst& in, const std::uint64_t* offset,
                 std::uint32_t mask, std::uint32_t width) {
  // A card interleaves local memory by words: the same word of 32 lanes is one 128-byte line.
  alignas(64) std::uint64_t address[kWarpSize] = {};
  const std::uint32_t word = std::min<std::uint32_t>(width, 4);
  Counts& counts = counts_of(context, in);
  add_traffic(counts, mask, width);
  for (std::uint32_t part = 0; part < width; part += word) {
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const std::uint64_t place = offset[lane] + part;
      address[lane] = place / 4 * 128 + lane * 4 + place % 4;
    }
    const PatternCost cost = sector_cost(address, mask, word, pattern_of(context, in));
    counts.sectors += cost.passes;
    counts.ideal_sectors += cost.ideal;
  }
}

}  // namespace warpsim
