#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/machine/address.h"
#include "emulator/machine/async.h"
#include "emulator/machine/async_handlers.h"
#include "emulator/machine/bulk_copy.h"
#include "emulator/machine/cluster.h"
#include "emulator/machine/for_lanes.h"
#include "emulator/machine/group_state.h"
#include "emulator/machine/small_float.h"
#include "emulator/machine/tell.h"

// cp.async.bulk, cp.reduce.async.bulk and st.async: one thread moves a range of bytes. Copies to
// shared memory complete at an mbarrier, copies to global memory in the thread's bulk groups.

namespace warpsim {
namespace {

constexpr std::uint32_t kBulkAlignment = 16;

/// Runs a search for one lane's bytes as if it were alone.
template <class F>
Located alone(WarpContext& context, std::size_t lane, F locate) {
  Located at;
  const std::uint32_t active = context.warp.active;
  context.warp.active = 1u << lane;
  locate(at);
  context.warp.active = active;
  return at;
}

template <class T>
T reduced(BulkReduction reduction, T old, T value) {
  if constexpr (std::is_integral_v<T>) {
    switch (reduction) {
      case BulkReduction::inc:
        return old >= value ? T{0} : static_cast<T>(old + 1);
      case BulkReduction::dec:
        return old == 0 || old > value ? value : static_cast<T>(old - 1);
      case BulkReduction::bit_and:
        return static_cast<T>(old & value);
      case BulkReduction::bit_or:
        return static_cast<T>(old | value);
      case BulkReduction::bit_xor:
        return static_cast<T>(old ^ value);
      default:
        break;
    }
  }
  switch (reduction) {
    case BulkReduction::min:
      return std::min(old, value);
    case BulkReduction::max:
      return std::max(old, value);
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(old) + static_cast<U>(value));
  } else {
    return old + value;
  }
}

template <class T>
void reduce_elements(BulkReduction reduction, std::byte* to, const std::byte* from,
                     std::uint32_t bytes) {
  for (std::uint32_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
    T old, value;
    std::memcpy(&old, to + at, sizeof old);
    std::memcpy(&value, from + at, sizeof value);
    old = reduced(reduction, old, value);
    std::memcpy(to + at, &old, sizeof old);
  }
}

void reduce_into(BulkReduction reduction, BulkType type, std::byte* to, const std::byte* from,
                 std::uint32_t bytes) {
  switch (type) {
    case BulkType::u32:
      return reduce_elements<std::uint32_t>(reduction, to, from, bytes);
    case BulkType::s32:
      return reduce_elements<std::int32_t>(reduction, to, from, bytes);
    case BulkType::u64:
      return reduce_elements<std::uint64_t>(reduction, to, from, bytes);
    case BulkType::s64:
      return reduce_elements<std::int64_t>(reduction, to, from, bytes);
    case BulkType::f32:
      return reduce_elements<float>(reduction, to, from, bytes);
    case BulkType::f64:
      return reduce_elements<double>(reduction, to, from, bytes);
    case BulkType::f16:
      return reduce_elements<SmallFloat<5, 10>>(reduction, to, from, bytes);
    case BulkType::bf16:
      return reduce_elements<SmallFloat<8, 7>>(reduction, to, from, bytes);
  }
}

/// Tells the cache model what the copy engine moves, which goes past the first level.
void ask_second_level(BlockCache& cache, const Inst& in, std::uint64_t address,
                      std::uint32_t bytes) {
  const std::uint64_t end = (address + bytes + kSectorBytes - 1) / kSectorBytes;
  for (std::uint64_t sector = address / kSectorBytes; sector < end;) {
    const std::uint64_t line = sector / kSectorsPerLine;
    std::uint32_t mask = 0;
    for (; sector < end && sector / kSectorsPerLine == line; ++sector)
      mask |= 1u << sector % kSectorsPerLine;
    if ((in.aux & kBulkFromShared) == 0) {
      cache.load_beyond(line, mask);
    } else if (static_cast<BulkReduction>(in.aux2 & 15) == BulkReduction::none) {
      cache.store_beyond(line, mask);
    } else {
      cache.atomic(line, mask, false);
    }
  }
}

/// @param address  in global memory
/// @param blocks   that the bytes arrive at
void count_bulk(WarpContext& context, const Inst& in, std::uint64_t address, std::uint32_t bytes,
                std::uint64_t blocks) {
  if (!context.block->launch->options.checks.counters) return;
  Counts& counts = context.tables->counts[in.index];
  ++counts.requests;
  constexpr unsigned kWithinCluster = kBulkFromShared | kBulkToShared;
  if ((in.aux & kWithinCluster) == kWithinCluster) {
    counts.arriving += bytes;
    return;
  }
  if (context.block->cache) ask_second_level(*context.block->cache, in, address, bytes);
  counts.bytes += bytes;
  const std::uint64_t sectors =
      (address + bytes + kSectorBytes - 1) / kSectorBytes - address / kSectorBytes;
  counts.sectors += sectors;
  counts.ideal_sectors += sectors;
  counts.arriving += (in.aux & kBulkToShared) != 0 ? kSectorBytes * sectors * blocks : bytes;
}

struct BulkAddresses {
  std::uint64_t to[kWarpSize], from[kWarpSize], barrier[kWarpSize];
};

/// @param mask  ranks of the blocks that a copy goes to, each at the same place; 0: not a multicast
void tell_sides(WarpContext& context, const Inst& in, std::size_t lane, const BulkAddresses& at,
                const BulkCopy& copy, std::uint32_t mask) {
  tell_transfer(context, in, at.from[lane], copy.bytes, AccessType::load);
  const bool in_cluster = context.block->cluster->blocks.size() > 1;
  const bool reduces = copy.reduction != BulkReduction::none;
  if (reduces && !in_cluster) return;  // done as atomics are
  const BlockContext& block = *context.block;
  tell(block, &Observer::bulk, context, in, lane, at.from[lane], copy.bytes, AccessType::load);
  const AccessType type = reduces ? AccessType::atomic : AccessType::store;
  if (mask == 0 || !in_cluster) {
    tell(block, &Observer::bulk, context, in, lane, at.to[lane], copy.bytes, type);
    return;
  }
  const std::uint64_t place = (at.to[lane] - kSharedWindow) % kClusterStride;
  for (; mask != 0; mask &= mask - 1) {
    const auto upper = static_cast<std::uint64_t>(std::countr_zero(mask)) + 1;
    tell(block, &Observer::bulk, context, in, lane, kSharedWindow + upper * kClusterStride + place,
         copy.bytes, type);
  }
}

bool bad_size(const WarpContext& context, const Inst& in, std::size_t lane, std::uint32_t bytes) {
  if (bytes % kBulkAlignment == 0) return false;
  Finding f = finding_at(context, in, 1u << lane, FindingKind::misaligned_bulk_copy);
  f.message = "the size of a bulk copy is not a multiple of 16 bytes";
  f.got = fmt::format("{} bytes", bytes);
  f.want = "a multiple of 16";
  f.next = "Copy the last bytes with ordinary loads and stores.";
  log(context, std::move(f));
  return true;
}

/// One lane's copy. @returns false when a card would have stopped the kernel
bool copy_lane(WarpContext& context, const Inst& in, std::size_t lane, const BulkAddresses& at) {
  const auto& operands = *static_cast<const AsyncOperands*>(in.extra);
  const Warp& warp = context.warp;
  const LaunchState& launch = *context.block->launch;
  const std::uint32_t bytes = warp.reg<std::uint32_t>(operands.size)[lane];
  if (bad_size(context, in, lane, bytes)) return false;
  if (bytes == 0) return true;
  const bool from_shared = (in.aux & kBulkFromShared) != 0;
  const bool to_shared = (in.aux & kBulkToShared) != 0;

  const Located from = from_shared
                           ? find_shared(context, in, lane, at.from[lane], bytes, AccessType::load)
                           : find_global(context, in, lane, at.from[lane], bytes, AccessType::load);
  if (from.lanes == 0) return !from.fatal;
  if (launch.options.checks.unwritten) check_written(context, in, bytes, from);
  if (from_shared) {
    tell(*context.block, &Observer::proxy_read, context, in, lane,
         static_cast<std::uint32_t>((at.from[lane] - kSharedWindow) % kClusterStride), bytes);
  }
  const auto& blocks = context.block->cluster->blocks;
  std::uint32_t mask = 0;
  if (operands.mask >= 0) {
    mask = warp.reg<std::uint16_t>(operands.mask)[lane] & ((1u << blocks.size()) - 1);
    if (mask == 0) return true;
  }
  count_bulk(context, in, from_shared ? at.to[lane] : at.from[lane], bytes,
             mask == 0 ? 1 : static_cast<std::uint64_t>(std::popcount(mask)));

  BulkCopy copy;
  copy.site = site_of(context, in, 1u << lane);
  copy.bytes = bytes;
  copy.from = from.host[lane];
  copy.issued.assign(copy.from, copy.from + bytes);
  copy.reduction = static_cast<BulkReduction>(in.aux2 & 15);
  copy.type = static_cast<BulkType>(in.aux2 >> 4);
  if (!to_shared) {
    const Located to = find_global(context, in, lane, at.to[lane], bytes, AccessType::store);
    if (to.lanes == 0) return !to.fatal;
    WarpAsync& state = async_of(context);
    copy.to = to.host[lane];
    copy.to_address = at.to[lane];
    copy.lane = static_cast<std::uint32_t>(lane);
    copy.group = state.open_bulk_group[lane];
    tell_sides(context, in, lane, at, copy, 0);
    state.bulk.push_back(std::move(copy));
    return true;
  }
  const Located to = find_shared(context, in, lane, at.to[lane], bytes, AccessType::store);
  if (to.lanes == 0) return !to.fatal;
  const auto offset = static_cast<std::uint32_t>((at.to[lane] - kSharedWindow) % kClusterStride);
  const auto barrier =
      static_cast<std::uint32_t>((at.barrier[lane] - kSharedWindow) % kClusterStride);
  tell(*context.block, &Observer::bulk_begin, context);
  tell_sides(context, in, lane, at, copy, mask);
  const CopyBrings known = copy_issued(context, lane);
  const auto into = [&](BlockContext& block) {
    if (!from_shared) count_copy_wait(block, barrier);
    defer_copy(block, offset, barrier, copy, known);
  };
  if (mask == 0) {
    into(*shared_owner(*context.block, to.host[lane]));
    return true;
  }
  for (std::uint32_t rank = 0; rank < blocks.size(); ++rank) {
    if ((mask >> rank) & 1) into(*blocks[rank]);
  }
  return true;
}

}  // namespace

Located find_shared(WarpContext& context, const Inst& in, std::size_t lane, std::uint64_t generic,
                    std::uint32_t bytes, AccessType type) {
  return alone(context, lane, [&](Located& at) {
    at.address[lane] = generic - kSharedWindow;
    locate_shared(context, in, bytes, type, at);
  });
}

Located find_global(WarpContext& context, const Inst& in, std::size_t lane, std::uint64_t address,
                    std::uint32_t bytes, AccessType type) {
  return alone(context, lane, [&](Located& at) {
    at.address[lane] = address;
    locate_global(context, in, bytes, type, at);
  });
}

CopyBrings copy_issued(WarpContext& context, std::size_t lane) {
  CopyBrings known;
  tell(*context.block, &Observer::bulk_issued, context, lane, known.here, known.elsewhere);
  return known;
}

namespace {

/// A copy goes to where an asynchronous multiplication still reads.
void report_reader(const BlockContext& block, std::uint32_t offset, const AsyncSite& copy,
                   const AsyncSite& reader) {
  Finding f = finding_at(copy, FindingKind::group_operand);
  f.message = fmt::format("a copy to shared memory that wgmma is still reading: {}",
                          shared_name(*block.launch, offset));
  f.got = fmt::format("the wgmma at {} by {} has not been waited for",
                      describe_place(*reader.program, *reader.in),
                      describe_thread(*reader.warp, std::countr_zero(reader.lanes)));
  f.want = "wgmma.wait_group of its warps, and their arrival at an mbarrier, before the next copy";
  f.next =
      "Let consumers arrive at the barrier of a free stage only after the wait_group that covers "
      "the products that read it.";
  log(*copy.warp, std::move(f));
}

}  // namespace

void count_copy_wait(BlockContext& block, std::uint32_t barrier) {
  if (!block.launch->options.checks.counters) return;
  AsyncState& state = async_of(block);
  const std::uint64_t phase = completed_phases(block, barrier);
  const auto [last, added] = state.copied.try_emplace(barrier, phase);
  if (!added && last->second == phase) return;
  last->second = phase;
  ++state.copied_phases;
  const std::uint64_t waits = kPathParts * block.launch->warps_per_block * state.copied_phases /
                              std::min<std::uint64_t>(state.copied.size(), state.copied_phases);
  block.worker->copy_waits += waits - std::exchange(state.copy_waits, waits);
}

void defer_copy(BlockContext& block, std::uint32_t offset, std::uint32_t barrier, BulkCopy copy,
                const CopyBrings& known) {
  copy.to = block.shared.data() + offset;
  copy.to_block = &block;
  if (const GroupWork* const reader = group_reader(block, offset, copy.bytes)) {
    report_reader(block, offset, copy.site, reader->site);
  }
  if (copy.reduction == BulkReduction::none) put_in_flight(block, offset, copy.bytes, copy.site);
  const AsyncSite site = copy.site;
  const ObserverSlots& brought = &block == site.warp->block ? known.here : known.elsewhere;
  async_of(block).deferred.push_back({.barrier = barrier,
                                      .copy = std::make_unique<BulkCopy>(std::move(copy)),
                                      .warp = nullptr,
                                      .lanes = 0,
                                      .before = 0,
                                      .phase = completed_phases(block, barrier),
                                      .site = site,
                                      .brought = brought});
  wake_mbarrier_waiters(block);
}

void deliver(BulkCopy& copy) {
  const std::byte* from = copy.issued.data();
  if (copy.from != nullptr) {
    // The engine reads late: it takes what is there now.
    if (std::memcmp(copy.from, from, copy.bytes) != 0) {
      const auto change = std::mismatch(copy.issued.begin(), copy.issued.end(), copy.from);
      const auto offset = static_cast<std::uint64_t>(change.first - copy.issued.begin());
      raise(*copy.site.warp, {faults::SourceChanged{copy.site, offset}});
    }
    from = copy.from;
  }
  if (copy.to_block != nullptr) {
    BlockContext& block = *copy.to_block;
    const auto offset = static_cast<std::uint32_t>(copy.to - block.shared.data());
    if (copy.reduction == BulkReduction::none) land(block, offset, copy.bytes, copy.site);
  } else {
    const LaunchState& launch = *copy.site.warp->block->launch;
    if (const Extent* extent = launch.find(copy.to_address);
        extent != nullptr && !extent->allocation->all_written) {
      std::memset(extent->allocation->written + (copy.to_address - extent->base), 1, copy.bytes);
    }
  }
  if (copy.reduction == BulkReduction::none) {
    std::memcpy(copy.to, from, copy.bytes);
  } else {
    reduce_into(copy.reduction, copy.type, copy.to, from, copy.bytes);
  }
}

const Inst* copy_bulk(Warp& warp, const Inst& in) {
  WarpContext& context = *warp.context;
  const auto& operands = *static_cast<const AsyncOperands*>(in.extra);
  BulkAddresses at;
  generic_addresses(warp, operands.to, at.to);
  generic_addresses(warp, operands.from, at.from);
  if (operands.barrier.slot >= 0) generic_addresses(warp, operands.barrier, at.barrier);
  const bool from_shared = (in.aux & kBulkFromShared) != 0;
  const bool to_shared = (in.aux & kBulkToShared) != 0;
  if (check_alignment(context, in, at.to, kBulkAlignment, to_shared ? "shared" : "global") ||
      check_alignment(context, in, at.from, kBulkAlignment, from_shared ? "shared" : "global")) {
    return abort_launch(warp, in, LaunchStatus::misaligned);
  }
  bool good = true;
  for_lanes(warp.active,
            [&](std::size_t lane) { good = copy_lane(context, in, lane, at) && good; });
  if (!good) return abort_launch(warp, in, LaunchStatus::illegal_address);
  return &in + 1;
}

const Inst* prefetch_bulk(Warp& warp, const Inst& in) {
  WarpContext& context = *warp.context;
  const auto& operands = *static_cast<const AsyncOperands*>(in.extra);
  std::uint64_t from[kWarpSize];
  generic_addresses(warp, operands.from, from);
  if (check_alignment(context, in, from, kBulkAlignment, "global")) {
    return abort_launch(warp, in, LaunchStatus::misaligned);
  }
  bool good = true;
  for_lanes(warp.active, [&](std::size_t lane) {
    const std::uint32_t bytes = warp.reg<std::uint32_t>(operands.size)[lane];
    if (bad_size(context, in, lane, bytes) || bytes == 0) return;
    if (find_global(context, in, lane, from[lane], bytes, AccessType::load).fatal) good = false;
  });
  if (!good) return abort_launch(warp, in, LaunchStatus::illegal_address);
  return &in + 1;
}

const Inst* commit_bulk(Warp& warp, const Inst& in) {
  WarpAsync& state = async_of(*warp.context);
  for_lanes(warp.active, [&](std::size_t lane) { ++state.open_bulk_group[lane]; });
  return &in + 1;
}

const Inst* wait_bulk(Warp& warp, const Inst& in) {
  WarpAsync& state = async_of(*warp.context);
  const auto due = [&](const BulkCopy& copy) {
    return ((warp.active >> copy.lane) & 1) != 0 &&
           copy.group + in.imm < state.open_bulk_group[copy.lane];
  };
  for (BulkCopy& copy : state.bulk) {
    if (due(copy)) deliver(copy);
  }
  std::erase_if(state.bulk, due);
  return &in + 1;
}

const Inst* fence_proxy(Warp& warp, const Inst& in) {
  tell(*warp.context->block, &Observer::proxy_fence, *warp.context);
  return &in + 1;
}

const Inst* store_async(Warp& warp, const Inst& in) {
  WarpContext& context = *warp.context;
  const auto& operands = *static_cast<const AsyncOperands*>(in.extra);
  const std::uint32_t bytes = std::uint32_t{in.aux} * in.width;
  BulkAddresses at;
  generic_addresses(warp, operands.to, at.to);
  generic_addresses(warp, operands.barrier, at.barrier);
  if (check_alignment(context, in, at.to, bytes, "shared")) {
    return abort_launch(warp, in, LaunchStatus::misaligned);
  }
  const std::int32_t slots[4] = {in.d, in.b, in.c, in.d2};
  bool good = true;
  for_lanes(warp.active, [&](std::size_t lane) {
    const Located to = find_shared(context, in, lane, at.to[lane], bytes, AccessType::store);
    if (to.fatal) good = false;
    if (to.lanes == 0) return;
    BulkCopy copy;
    copy.site = site_of(context, in, 1u << lane);
    copy.bytes = bytes;
    copy.issued.resize(bytes);
    for (std::size_t i = 0; i < in.aux; ++i) {
      std::memcpy(copy.issued.data() + i * in.width,
                  warp.reg<std::byte>(slots[i]) + lane * in.width, in.width);
    }
    copy.reduction = static_cast<BulkReduction>(in.aux2 & 15);
    copy.type = static_cast<BulkType>(in.aux2 >> 4);
    const bool reduces = copy.reduction != BulkReduction::none;
    tell(*context.block, &Observer::bulk_begin, context);
    if (!reduces || context.block->cluster->blocks.size() > 1) {
      tell(*context.block, &Observer::bulk, context, in, lane, at.to[lane], bytes,
           reduces ? AccessType::atomic : AccessType::store);
    }
    BlockContext& block = *shared_owner(*context.block, to.host[lane]);
    defer_copy(block, static_cast<std::uint32_t>((at.to[lane] - kSharedWindow) % kClusterStride),
               static_cast<std::uint32_t>((at.barrier[lane] - kSharedWindow) % kClusterStride),
               std::move(copy), copy_issued(context, lane));
  });
  if (!good) return abort_launch(warp, in, LaunchStatus::illegal_address);
  return &in + 1;
}

}  // namespace warpsim
