// What accesses cost: traffic, sectors, wavefronts, and what the caches are asked.

#include <algorithm>
#include <bit>
#include <utility>

#include "emulator/machine/access.h"
#include "emulator/machine/address.h"
#include "emulator/machine/ask_cache.h"
#include "emulator/machine/cluster.h"
#include "emulator/machine/for_lanes.h"
#include "emulator/machine/polls.h"

namespace warpsim {
namespace {

Counts& counts_of(WarpContext& context, const Inst& in) {
  return context.tables->counts[in.index];
}

AccessKind kind_of(const WarpContext& context, const Inst& in) {
  return context.tables->kinds[in.index];
}

PatternMemo& pattern_of(WarpContext& context, const Inst& in) {
  return context.tables->inline_caches[in.index].pattern;
}

void add_traffic(Counts& counts, std::uint32_t mask, std::uint32_t width) {
  ++counts.requests;
  counts.bytes += static_cast<std::uint64_t>(std::popcount(mask)) * width;
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

/// Notes where atomics come how often: a pass for each sector of a request, and for each of its
/// lanes on one address.
void count_heat(WarpContext& context, const std::uint64_t* address, std::uint32_t mask,
                const AtomicCost& on_card) {
  AtomicHeat& heat = context.worker->heat;
  if (on_card.combined) {
    heat.add(address[std::countr_zero(mask)], 1, on_card.is_float);
    return;
  }
  std::uint64_t sorted[kWarpSize];
  const std::uint32_t lanes = sort_addresses(address, mask, sorted);
  for_atomic_sectors(sorted, lanes, [&](std::uint64_t first, std::uint32_t turns) {
    heat.add(first, turns, on_card.is_float);
  });
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

/// Notes where atomics that are loops come how often: each update of a word waits for the last.
void count_contention(BlockContext& block, const std::uint32_t* offset, std::uint32_t mask) {
  if (block.contended.empty()) block.contended.resize(block.shared.size() / 4 + 1);
  const std::uint32_t before = block.most_contended;
  for_lanes(mask, [&](std::size_t lane) {
    if (offset[lane] / 4 >= block.contended.size()) return;  // it is reported
    block.most_contended = std::max(block.most_contended, ++block.contended[offset[lane] / 4]);
  });
  block.worker->contended_shared += block.most_contended - before;
}

/// Lanes whose compare-and-swap succeeds where all of `left` do one: the first of each bank, of 8
/// bytes in each half of the warp, where the second half meets what the first has changed.
std::uint32_t swap_winners(const std::uint32_t* word, std::uint32_t left, std::uint32_t bytes) {
  std::uint32_t banks[2] = {};
  std::uint32_t winners = 0;
  for_lanes(left, [&](std::size_t lane) {
    const std::size_t half = bytes > 4 ? lane / 16 : 0;
    const std::uint32_t bank = 1u << word[lane] / 4 % 32;
    if ((std::exchange(banks[half], banks[half] | bank) & bank) != 0) return;
    bool changed = false;
    if (half == 1) {
      for_lanes(winners & 0xffff,
                [&](std::size_t other) { changed = changed || word[other] == word[lane]; });
    }
    if (!changed) winners |= 1u << lane;
  });
  return winners;
}

/// An atomic that is a loop: the lanes that are left load and compare and swap. As ncu counted on
/// an H200 (emulator/tests/counters/path_atomics_sm90.cu) where each update changes the value.
void count_loop(WarpContext& context, const Inst& in, const std::uint32_t* offset,
                std::uint32_t mask, std::uint32_t width, Counts& counts) {
  alignas(64) std::uint32_t word[kWarpSize];
  const std::uint32_t bytes = std::max(width, 4u);
  for (int i = 0; i < kWarpSize; ++i) word[i] = offset[i] / bytes * bytes;
  Counts& loads = context.tables->generic[in.index].loads;
  PatternMemo memo;  // the lanes change from one to the next
  const PatternCost all = shared_atomic_cost(word, mask, bytes, memo);
  counts.max_multiplicity += all.multiplicity;
  counts.distinct_addresses += all.distinct;
  counts.bytes += static_cast<std::uint64_t>(std::popcount(mask)) * width;
  for (std::uint32_t left = mask; left != 0;) {
    memo = {};
    count_wavefronts(loads, left, bytes, wavefront_cost(word, left, bytes, memo));
    const std::uint32_t halves = bytes > 4 ? ((left & 0xffff) != 0) + (left >> 16 != 0) : 1;
    ++counts.requests;
    counts.wavefronts += 2 * halves;
    counts.ideal_wavefronts += 2 * halves;
    left &= ~swap_winners(word, left, bytes);
  }
  count_contention(*context.block, word, mask);
}

void count_shared_atomic(WarpContext& context, const AccessRequest& request,
                         const std::uint32_t* offset, std::uint32_t mask, Counts& counts) {
  counts.updates += static_cast<std::uint64_t>(std::popcount(mask));
  const AtomicCost* const costs = context.tables->atomic_costs;
  const SharedAtomic way = costs == nullptr ? SharedAtomic::one : costs[request.in.index].shared;
  if (way == SharedAtomic::loop) {
    return count_loop(context, request.in, offset, mask, request.width, counts);
  }
  PatternMemo& memo = pattern_of(context, request.in);
  PatternCost cost = shared_atomic_cost(offset, mask, request.width, memo);
  if (way == SharedAtomic::counted) {
    PatternMemo distinct;
    cost.passes = wavefront_cost(offset, mask, request.width, distinct).passes;
  }
  count_wavefronts(counts, mask, request.width, cost);
  if (way == SharedAtomic::compared) {
    // The second pass is not a conflict.
    counts.wavefronts += cost.passes;
    counts.ideal_wavefronts += cost.passes;
  }
}

void count_shared_as(WarpContext& context, const AccessRequest& request,
                     const std::uint64_t* address, Counts& counts) {
  alignas(64) std::uint32_t offset[kWarpSize];
  for (int i = 0; i < kWarpSize; ++i) offset[i] = static_cast<std::uint32_t>(address[i]);
  std::uint32_t mask = context.warp.active;
  // The shared memory of another block is reached through the network of the cluster, where passes
  // over its banks are made for atomics only.
  if (context.block->cluster->blocks.size() > 1) {
    std::uint32_t own = mask;
    for_lanes(mask, [&](std::size_t lane) {
      if (address[lane] >= kClusterStride &&
          block_named(*context.block, address[lane]) != context.block) {
        own &= ~(1u << lane);
      }
    });
    if (own != mask) ++counts.remote;
    if (request.type != AccessType::atomic) mask = own;
    if (mask == 0) return;
  }
  if (request.type == AccessType::atomic) {
    return count_shared_atomic(context, request, offset, mask, counts);
  }
  count_wavefronts(counts, mask, request.width,
                   wavefront_cost(offset, mask, request.width, pattern_of(context, request.in)));
}

/// Notes which array is updated, before the access is located: that of its first lane. Where
/// grid.sync() counts blocks is none of the program's.
void count_array(WarpContext& context, const Inst& in, std::uint64_t first, std::uint64_t updates) {
  const LaunchState& launch = *context.block->launch;
  const InlineCache& memo = context.tables->inline_caches[in.index];
  const GlobalMemory::Allocation* array = memo.allocation;
  if (first - memo.base >= memo.end - memo.base) {
    const Extent* const extent = launch.find(first);
    array = extent == nullptr ? nullptr : extent->allocation;
  }
  if (array == nullptr || launch.workspace - array->base < array->size) return;
  auto& arrays = context.worker->atomics_by_array;
  const auto known =
      std::ranges::find_if(arrays, [&](const auto& entry) { return entry.first == array; });
  if (known == arrays.end()) {
    arrays.emplace_back(array, updates);
  } else {
    known->second += updates;
  }
}

void count_global_atomic(WarpContext& context, const Inst& in, const std::uint64_t* address,
                         std::uint32_t mask, std::uint32_t width) {
  Counts& counts = counts_of(context, in);
  add_traffic(counts, mask, width);
  const AtomicCost& on_card = context.tables->atomic_costs[in.index];
  const PatternCost cost =
      atomic_cost(address, mask, width, on_card.combined, pattern_of(context, in));
  counts.sectors += cost.passes;
  counts.ideal_sectors += cost.ideal;
  counts.max_multiplicity += cost.multiplicity;
  counts.distinct_addresses += cost.distinct;
  const auto updates = static_cast<std::uint64_t>(std::popcount(mask));
  counts.updates += updates;
  if (mask != 0) count_array(context, in, address[std::countr_zero(mask)], updates);
  count_heat(context, address, mask, on_card);
  count_lines(context, in, address, mask, width, kind_of(context, in), counts);
}

void count_global_space(WarpContext& context, const AccessRequest& request,
                        const std::uint64_t* address) {
  const std::uint32_t mask = context.warp.active;
  if (request.type == AccessType::atomic) {
    return count_global_atomic(context, request.in, address, mask, request.width);
  }
  count_global(context, request.in, address, mask, request.width);
}

}  // namespace

void count_access(WarpContext& context, const AccessRequest& request,
                  const std::uint64_t* address) {
  switch (request.space) {
    case ptx::Space::shared:
      return count_shared_as(context, request, address, counts_of(context, request.in));
    case ptx::Space::local:
      return count_local_as(context, request.in, address, context.warp.active, request.width,
                            kind_of(context, request.in), counts_of(context, request.in));
    case ptx::Space::param:
      return;  // where a card has registers
    default:
      return count_global_space(context, request, address);
  }
}

void count_generic(WarpContext& context, const AccessRequest& request,
                   const std::uint64_t* address) {
  switch (request.space) {
    case ptx::Space::shared:
      return count_shared_as(context, request, address,
                             context.tables->generic[request.in.index].shared);
    case ptx::Space::local:
      return count_local_as(
          context, request.in, address, context.warp.active, request.width,
          request.type == AccessType::load ? AccessKind::local_load : AccessKind::local_store,
          context.tables->generic[request.in.index].local);
    default:
      return count_global_space(context, request, address);
  }
}

void count_global(WarpContext& context, const Inst& in, const std::uint64_t* address,
                  std::uint32_t mask, std::uint32_t width) {
  if ((in.flags & kPolls) != 0 && looks_again(context, in, address, mask)) return;
  Counts& counts = counts_of(context, in);
  add_traffic(counts, mask, width);
  const PatternCost cost = sector_cost(address, mask, width, pattern_of(context, in));
  counts.sectors += cost.passes;
  counts.ideal_sectors += cost.ideal;
  counts.lines += cost.lines;
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

void count_lines_of(WarpContext& context, const Inst& in, std::uint64_t first,
                    const LaneShape& shape, const PatternMemo& memo) {
  alignas(64) std::uint64_t address[kWarpSize];
  for (std::size_t i = 0; i < kWarpSize; ++i) {
    const auto distance = static_cast<std::int32_t>(shape.relative[i]);
    address[i] = first + static_cast<std::uint64_t>(std::int64_t{distance});
  }
  ask_cache(context.block->cache.get(), in, kind_of(context, in), memo.whole_sectors,
            counts_of(context, in),
            [&](auto use) { for_each_line(address, kFullMask, in.width, memo, use); });
}

}  // namespace warpsim
