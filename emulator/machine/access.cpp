#include "emulator/machine/access.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "emulator/checkers/changes.h"
#include "emulator/machine/address.h"
#include "emulator/machine/async.h"
#include "emulator/machine/cluster.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/polls.h"
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

AccessKind kind_of(const WarpContext& context, const Inst& in) {
  return context.tables->kinds[in.index];
}

PatternMemo& pattern_of(WarpContext& context, const Inst& in) {
  return context.tables->memos[in.index].pattern;
}

void add_traffic(Counts& counts, std::uint32_t mask, std::uint32_t width) {
  ++counts.requests;
  counts.bytes += static_cast<std::uint64_t>(std::popcount(mask)) * width;
}

/// An experiment: this access is dropped where it is out of range, and the kernel goes on.
bool drops_outside(const WarpContext& context, const Inst& in) {
  Changes* changes = context.block->launch->options.changes.get();
  if (changes == nullptr) return false;
  const SourcePlace place = source_place(*context.frame().program, in.index);
  for (const Change& change : changes->list()) {
    if (change.kind != Change::Kind::outside || !change.is_about(place.file, place.line)) continue;
    changes->made(change);
    return true;
  }
  return false;
}

}  // namespace

std::uint64_t missing_value(const WarpContext& context) {
  const Changes* changes = context.block->launch->options.changes.get();
  const bool zero = changes != nullptr && changes->find(Change::Kind::outside) != nullptr;
  return zero ? 0 : 0xCBCBCBCBCBCBCBCBu;
}

void InstMemo::fit(std::uint32_t width) {
  const LaneShape& shape = pattern.shape;
  const std::uint64_t bytes =
      static_cast<std::uint64_t>(std::int64_t{shape.high} - shape.low) + width;
  const bool aligned = ((pattern.phase | shape.bits) & (width - 1)) == 0;
  from = base - static_cast<std::uint64_t>(std::int64_t{shape.low});
  places = aligned && shape.mask != 0 && end - base >= bytes ? end - base - bytes + 1 : 0;
  grain = (width - 1) | 3;  // which word an address is in changes with what is below the words
}

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
  if (bad != 0) {
    const bool fatal = report_bad_global(context, in, bad, at.address, width, type);
    at.fatal = !drops_outside(context, in) && fatal;
  }
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
  if (bad != 0) {
    const bool fatal = report_bad_shared(context, in, bad, offsets, width, type);
    at.fatal = !drops_outside(context, in) && fatal;
  }
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
    at.fatal = !drops_outside(context, in);
  }
}

namespace {

/// Asks the cache model for lines.
/// @param for_each  calls its argument with each line and its sectors
template <class ForEach>
[[gnu::always_inline]] inline void ask_cache(BlockCache* cache, const Inst& in, AccessKind kind,
                                             bool whole_sectors, Counts& counts, ForEach for_each) {
  switch (kind) {
    case AccessKind::global_load:
    case AccessKind::local_load:
    case AccessKind::global_to_shared:
      if ((in.flags & (kVolatile | kPastL1)) != 0) {
        for_each(
            [&](std::uint64_t line, std::uint32_t sectors) { cache->load_beyond(line, sectors); });
        return;
      }
      for_each([&](std::uint64_t line, std::uint32_t sectors) {
        counts.l1_hits += cache->load(line, sectors);
      });
      return;
    case AccessKind::global_store:
    case AccessKind::local_store:
      for_each([&](std::uint64_t line, std::uint32_t sectors) {
        cache->store(line, sectors, whole_sectors);
      });
      return;
    case AccessKind::global_atomic:
    case AccessKind::global_reduction:
      for_each([&](std::uint64_t line, std::uint32_t sectors) {
        cache->atomic(line, sectors, kind == AccessKind::global_atomic);
      });
      return;
    default:
      return;  // constants have caches of their own
  }
}

/// Tells the cache model about the request that the memo was just asked about.
void count_lines(WarpContext& context, const Inst& in, const std::uint64_t* address,
                 std::uint32_t mask, std::uint32_t width, AccessKind kind, Counts& counts) {
  BlockCache* const cache = context.block->cache.get();
  if (cache == nullptr) return;
  const PatternMemo& memo = pattern_of(context, in);
  ask_cache(cache, in, kind, memo.whole_sectors, counts,
            [&](auto use) { for_each_line(address, mask, width, memo, use); });
}

/// Notes where atomics come how often: neighbouring sectors belong to one slice of the second
/// level, which does one sector at a time, and lanes on one address take turns. A reduction of a
/// whole warp on one address becomes one update.
void count_heat(WarpContext& context, const std::uint64_t* address, std::uint32_t mask,
                bool one_update) {
  constexpr std::size_t kBits = 14;
  constexpr std::uint64_t kSectorBytes = 32;
  // What atomics share on an H200: docs/cost-model.md.
  constexpr std::uint64_t kRegionBytes = 1024;
  auto& heat = context.worker->heat;
  if (heat.empty()) heat.resize(std::size_t{1} << kBits);
  const auto slot = [&](std::uint64_t sector) -> std::uint32_t& {
    const std::uint64_t region = sector * kSectorBytes / kRegionBytes;
    return heat[(region * 0x9E3779B97F4A7C15u) >> (64 - kBits)];
  };
  if (one_update) {
    ++slot(address[std::countr_zero(mask)] / kSectorBytes);
    return;
  }
  std::uint64_t sorted[kWarpSize];
  std::size_t lanes = 0;
  for_lanes(mask, [&](std::size_t lane) { sorted[lanes++] = address[lane]; });
  std::sort(sorted, sorted + lanes);
  for (std::size_t i = 0; i < lanes;) {
    const std::uint64_t sector = sorted[i] / kSectorBytes;
    std::uint32_t turns = 0;
    while (i < lanes && sorted[i] / kSectorBytes == sector) {
      std::size_t next = i;
      while (next < lanes && sorted[next] == sorted[i]) ++next;
      turns = std::max(turns, static_cast<std::uint32_t>(next - i));
      i = next;
    }
    slot(sector) += turns;
  }
}

void count_wavefronts(Counts& counts, std::uint32_t mask, std::uint32_t width,
                      const PatternCost& cost) {
  add_traffic(counts, mask, width);
  counts.wavefronts += cost.passes;
  counts.ideal_wavefronts += cost.ideal;
  counts.max_multiplicity += cost.multiplicity;
  counts.distinct_addresses += cost.distinct;
}

/// Address that local memory would have on the card: the blocks that a multiprocessor holds at once
/// have a place each, which later ones use again.
std::uint64_t local_base(const WarpContext& context) {
  const BlockContext& block = *context.block;
  const LaunchState& launch = *block.launch;
  const auto processors = static_cast<std::uint64_t>(launch.card->multiprocessors);
  const std::uint64_t place =
      block.linear / processors % launch.blocks_per_multiprocessor * processors +
      block.linear % processors;
  const std::uint64_t warp = place * launch.warps_per_block + context.warp.warp_index;
  return kLocalLines + warp * context.local_stride * kWarpSize;
}

void count_local_as(WarpContext& context, const Inst& in, const std::uint64_t* offset,
                    std::uint32_t mask, std::uint32_t width, AccessKind kind, Counts& counts) {
  // A card interleaves local memory by words: the same word of 32 lanes is one 128-byte line.
  alignas(64) std::uint64_t address[kWarpSize] = {};
  const std::uint32_t word = std::min<std::uint32_t>(width, 4);
  const std::uint64_t base = local_base(context);
  add_traffic(counts, mask, width);
  for (std::uint32_t part = 0; part < width; part += word) {
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const std::uint64_t place = offset[lane] + part;
      address[lane] = base + place / 4 * 128 + lane * 4 + place % 4;
    }
    const PatternCost cost = sector_cost(address, mask, word, pattern_of(context, in));
    counts.sectors += cost.passes;
    counts.ideal_sectors += cost.ideal;
    count_lines(context, in, address, mask, word, kind, counts);
  }
}

/// Shared memory through a generic address.
void count_generic_shared(WarpContext& context, const Inst& in, const std::uint64_t* offset,
                          std::uint32_t mask, std::uint32_t width, AccessType type) {
  alignas(64) std::uint32_t offsets[kWarpSize];
  for (int i = 0; i < kWarpSize; ++i) offsets[i] = static_cast<std::uint32_t>(offset[i]);
  PatternMemo& memo = pattern_of(context, in);
  Counts& counts = context.tables->generic[in.index].shared;
  if (type == AccessType::atomic) counts.updates += static_cast<std::uint64_t>(std::popcount(mask));
  count_wavefronts(counts, mask, width,
                   type == AccessType::atomic ? shared_atomic_cost(offsets, mask, width, memo)
                                              : wavefront_cost(offsets, mask, width, memo));
}

}  // namespace

void locate_generic(WarpContext& context, const Inst& in, std::uint32_t width, AccessType type,
                    Located& at) {
  // Lanes of one window at a time, each by the rules of its space.
  const LaunchState& launch = *context.block->launch;
  const bool counting = launch.options.checks.counters;
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
    // What was remembered about one space says nothing about another.
    PatternMemo& pattern = pattern_of(context, in);
    if (std::exchange(pattern.space, static_cast<std::uint8_t>(window)) != pattern.space) {
      pattern.shape.mask = 0;
    }
    const auto shift = [&](std::uint64_t base) {
      for_lanes(lanes, [&](std::size_t lane) { part.address[lane] -= base; });
    };
    switch (window) {
      case Window::global:
        if (counting && type == AccessType::atomic) {
          count_global_atomic(context, in, at.address, lanes, width);
        } else if (counting) {
          count_global(context, in, at.address, lanes, width);
        }
        locate_global(context, in, width, type, part);
        break;
      case Window::shared:
        shift(kSharedWindow);
        if (counting) count_generic_shared(context, in, part.address, lanes, width, type);
        locate_shared(context, in, width, type, part);
        break;
      case Window::local:
        shift(kLocalWindow);
        if (counting) {
          count_local_as(
              context, in, part.address, lanes, width,
              type == AccessType::load ? AccessKind::local_load : AccessKind::local_store,
              context.tables->generic[in.index].local);
        }
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
  InstMemo& memo = context.tables->memos[in.index];
  memo.base = memo.end = 0;
  memo.allocation = nullptr;
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
  block.unwritten_shared = false;
}

void mark_written(WarpContext& context, std::uint32_t width, const Located& at) {
  for_lanes(at.lanes, [&](std::size_t lane) {
    if (std::uint8_t* shadow = shadow_of(context, at, lane)) std::memset(shadow, 1, width);
  });
}

void count_global(WarpContext& context, const Inst& in, const std::uint64_t* address,
                  std::uint32_t mask, std::uint32_t width) {
  if ((in.flags & kPolls) != 0 && looks_again(context, in, address, mask)) return;
  Counts& counts = counts_of(context, in);
  add_traffic(counts, mask, width);
  const PatternCost cost = sector_cost(address, mask, width, pattern_of(context, in));
  counts.sectors += cost.passes;
  counts.ideal_sectors += cost.ideal;
  count_lines(context, in, address, mask, width, kind_of(context, in), counts);
}

void count_known_lines(WarpContext& context, const Inst& in, std::uint64_t first) {
  const PatternMemo& memo = pattern_of(context, in);
  ask_cache(context.block->cache.get(), in, kind_of(context, in), memo.whole_sectors,
            counts_of(context, in), [&](auto use) {
              for (std::uint32_t i = 0; i < memo.lines; ++i) {
                const auto distance = static_cast<std::uint64_t>(std::int64_t{memo.line[i]});
                use(first / kLineBytes + distance, memo.sectors_of[i]);
              }
            });
}

void count_global_atomic(WarpContext& context, const Inst& in, const std::uint64_t* address,
                         std::uint32_t mask, std::uint32_t width) {
  Counts& counts = counts_of(context, in);
  add_traffic(counts, mask, width);
  const bool returns = (in.flags & kDeadResult) == 0;
  const PatternCost cost = atomic_cost(address, mask, width, returns, pattern_of(context, in));
  counts.sectors += cost.passes;
  counts.ideal_sectors += cost.ideal;
  counts.max_multiplicity += cost.multiplicity;
  counts.distinct_addresses += cost.distinct;
  counts.updates += static_cast<std::uint64_t>(std::popcount(mask));
  count_heat(context, address, mask, !returns && cost.distinct == 1);
  count_lines(context, in, address, mask, width, kind_of(context, in), counts);
}

void count_shared(WarpContext& context, const Inst& in, const std::uint32_t* offset,
                  std::uint32_t mask, std::uint32_t width) {
  count_wavefronts(counts_of(context, in), mask, width,
                   wavefront_cost(offset, mask, width, pattern_of(context, in)));
}

void count_shared_atomic(WarpContext& context, const Inst& in, const std::uint32_t* offset,
                         std::uint32_t mask, std::uint32_t width) {
  Counts& counts = counts_of(context, in);
  counts.updates += static_cast<std::uint64_t>(std::popcount(mask));
  count_wavefronts(counts, mask, width,
                   shared_atomic_cost(offset, mask, width, pattern_of(context, in)));
}

void count_local(WarpContext& context, const Inst& in, const std::uint64_t* offset,
                 std::uint32_t mask, std::uint32_t width) {
  count_local_as(context, in, offset, mask, width, kind_of(context, in), counts_of(context, in));
}

}  // namespace warpsim
