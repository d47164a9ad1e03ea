#include "emulator/machine/tensor_copy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emulator/isa/process_lifetime.h"
#include "emulator/machine/address.h"
#include "emulator/machine/bulk_copy.h"
#include "emulator/machine/cluster.h"
#include "emulator/machine/for_lanes.h"
#include "emulator/machine/tell.h"
#include "emulator/machine/tensor_map.h"

namespace warpsim {
namespace {

constexpr std::uint32_t kBoxAlignment = 128;  // in shared memory
constexpr std::uint32_t kCopyChunk = 16;  // bytes that a swizzle keeps together

const TensorOperands& copy_of(const Inst& in) {
  return *static_cast<const TensorOperands*>(in.extra);
}

void report_map(const WarpContext& context, const Inst& in, std::size_t lane, std::string message,
                std::string got, std::string want, std::string next) {
  Finding f = finding_at(context, in, 1u << lane, FindingKind::tensor_map);
  f.message = std::move(message);
  f.got = std::move(got);
  f.want = std::move(want);
  f.next = std::move(next);
  log(context, std::move(f));
}

/// The map at a generic address: a parameter of the kernel, or in global or constant memory.
/// Nothing, with a finding, when there is none.
std::optional<TensorMap> find_map(WarpContext& context, const Inst& in, std::size_t lane,
                                  std::uint64_t address) {
  constexpr std::uint64_t kMapAlignment = 64;
  const LaunchState& launch = *context.block->launch;
  const std::byte* bytes = nullptr;
  if (in_window(address, kParamWindow)) {
    const std::uint64_t offset = address - kParamWindow;
    if (offset + TensorMap::kBytes <= launch.parameters.size()) {
      bytes = launch.parameters.data() + offset;
    }
  } else if (!in_window(address, kSharedWindow) && !in_window(address, kLocalWindow)) {
    const Located at = find_global(context, in, lane, address, TensorMap::kBytes, AccessType::load);
    if (at.lanes == 0) return std::nullopt;
    bytes = at.host[lane];
  }
  if (bytes == nullptr || address % kMapAlignment != 0) {
    report_map(context, in, lane, "the address of a tensor map is not one",
               fmt::format("generic address {:#x}", address),
               "a __grid_constant__ parameter, or global or constant memory, aligned to 64 bytes",
               "Pass the CUtensorMap as a `const __grid_constant__` parameter of the kernel.");
    return std::nullopt;
  }
  const std::optional<TensorMap> map = TensorMap::load(bytes);
  if (!map) {
    report_map(context, in, lane, "a copy by a tensor map that no encoding function has made",
               "128 bytes of another kind", "what cuTensorMapEncodeTiled wrote, unchanged",
               "Check the result of cuTensorMapEncodeTiled; do not build or change a map by hand.");
    return std::nullopt;
  }
  const unsigned rank = copy_of(in).rank;
  if (map->rank != rank) {
    report_map(context, in, lane, "a copy with other dimensions than its tensor map",
               fmt::format("{} coordinates for a map of rank {}", rank, map->rank),
               fmt::format("cp.async.bulk.tensor.{}d", map->rank),
               "Use the form of the instruction, and as many coordinates, as the map's rank.");
    return std::nullopt;
  }
  return map;
}

/// The rows of a box: what of them is inside the array, and where.
struct BoxRow {
  std::uint32_t at = 0;  // its first byte in shared memory, before the swizzle
  std::uint32_t skipped = 0, bytes = 0;  // of the row, those inside the array
  std::uint64_t address = 0;  // of the first of these
};

class Box {
 public:
  Box(const TensorMap& map, const Warp& warp, const TensorOperands& operands, std::size_t lane)
      : map_(map) {
    for (unsigned i = 0; i < map.rank; ++i) {
      first_[i] = warp.reg<std::int32_t>(operands.coordinates[i])[lane];
    }
  }

  /// Whether the first row begins at a multiple of 16 bytes of the array.
  [[nodiscard]] bool aligned() const {
    return std::int64_t{first_[0]} * bytes_of(map_.element) % kCopyChunk == 0;
  }
  [[nodiscard]] bool begins_before_array() const {
    return std::any_of(first_, first_ + map_.rank, [](std::int32_t c) { return c < 0; });
  }
  [[nodiscard]] std::string coordinates() const {
    return fmt::format("({})", fmt::join(first_, first_ + map_.rank, ", "));
  }
  template <class Use>
  void for_rows(Use use) const {
    const std::int64_t element = bytes_of(map_.element);
    const std::int64_t begin = std::max<std::int64_t>(0, -std::int64_t{first_[0]});
    const std::int64_t end = std::min<std::int64_t>(
        map_.count(0), std::int64_t{map_.last[0]} + 1 - std::int64_t{first_[0]});
    std::uint32_t index[TensorMap::kMostRank] = {};
    for (std::uint32_t at = 0; at < map_.place_bytes(); at += map_.pitch()) {
      BoxRow row{.at = at};
      if (begin < end && inside(index)) {
        row.skipped = static_cast<std::uint32_t>(begin * element);
        row.bytes = static_cast<std::uint32_t>((end - begin) * element);
        row.address = address(index) + static_cast<std::uint64_t>((first_[0] + begin) * element);
      }
      use(row);
      for (unsigned i = 1; i < map_.rank; ++i) {
        if (++index[i] < map_.count(i)) break;
        index[i] = 0;
      }
    }
  }

 private:
  [[nodiscard]] std::int64_t coordinate(const std::uint32_t* index, unsigned i) const {
    return std::int64_t{first_[i]} + std::int64_t{index[i]} * map_.step[i];
  }
  [[nodiscard]] bool inside(const std::uint32_t* index) const {
    for (unsigned i = 1; i < map_.rank; ++i) {
      const std::int64_t at = coordinate(index, i);
      if (at < 0 || at > std::int64_t{map_.last[i]}) return false;
    }
    return true;
  }
  [[nodiscard]] std::uint64_t address(const std::uint32_t* index) const {
    std::uint64_t at = map_.address;
    for (unsigned i = 1; i < map_.rank; ++i) {
      at += static_cast<std::uint64_t>(coordinate(index, i)) * map_.stride[i - 1];
    }
    return at;
  }

  const TensorMap& map_;
  std::int32_t first_[TensorMap::kMostRank] = {};
};

/// Where byte `at` of a box that begins at `offset` of shared memory is, relative to its begin.
std::uint32_t swizzled(const TensorMap& map, std::uint32_t offset, std::uint32_t at) {
  if (map.swizzle == 0) return at;
  const std::uint32_t place = offset + at;
  const std::uint32_t row = place / 128 % (map.swizzle / kCopyChunk);
  return (place ^ row * kCopyChunk) - offset;
}

/// What stands for elements beyond the array's borders: zero, or what an H200 was seen to write.
void fill(const TensorMap& map, std::byte* to, std::uint32_t bytes) {
  std::memset(to, 0, bytes);
  if (map.fills_nan == 0) return;
  constexpr std::uint16_t kNan = 0x7ff7;
  for (std::uint32_t at = 0; at + sizeof kNan <= bytes; at += sizeof kNan) {
    std::memcpy(to + at, &kNan, sizeof kNan);
  }
}

/// Elements as the copy engine passes them on: it rounds those of tf32 to 11 significant bits.
void convert(const TensorMap& map, std::byte* bytes, std::uint32_t count) {
  if (map.element != TensorElement::tf32 && map.element != TensorElement::tf32_ftz) return;
  constexpr std::uint32_t kInfinity = 0x7f800000, kDropped = 0x1fff;
  for (std::uint32_t at = 0; at + 4 <= count; at += 4) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes + at, sizeof bits);
    if ((bits & ~0x80000000u) > kInfinity) {
      bits = 0x7fffe000;
    } else {
      bits = (bits + kDropped / 2 + (bits >> 13 & 1)) & ~kDropped;  // ties to even
    }
    std::memcpy(bytes + at, &bits, sizeof bits);
  }
}

/// @param row_bytes  of the whole box: what is beyond the array arrives, too, as zeros
/// @param blocks     that it arrives at
void count_box(WarpContext& context, const Inst& in, const Box& box, bool loads,
               std::uint32_t row_bytes, std::uint64_t blocks) {
  if (!context.block->launch->options.checks.counters) return;
  const bool adds = copy_of(in).reduction != BulkReduction::none;
  Counts& counts = context.tables->counts[in.index];
  ++counts.requests;
  box.for_rows([&](const BoxRow& row) {
    if (loads) {
      const std::uint64_t begin = row.address - row.skipped;
      const std::uint64_t sectors =
          row.bytes == 0
              ? (row_bytes + kSectorBytes - 1) / kSectorBytes
              : (begin + row_bytes + kSectorBytes - 1) / kSectorBytes - begin / kSectorBytes;
      counts.arriving += kSectorBytes * sectors * blocks;
    } else {
      counts.arriving += row.bytes;
    }
    if (row.bytes == 0) return;
    counts.bytes += row.bytes;
    const std::uint64_t first = row.address / kSectorBytes;
    const std::uint64_t end = (row.address + row.bytes + kSectorBytes - 1) / kSectorBytes;
    counts.sectors += end - first;
    counts.ideal_sectors += end - first;
    if (!context.block->cache) return;
    for (std::uint64_t sector = first; sector < end;) {
      const std::uint64_t line = sector / kSectorsPerLine;
      std::uint32_t mask = 0;
      for (; sector < end && sector / kSectorsPerLine == line; ++sector) {
        mask |= 1u << sector % kSectorsPerLine;
      }
      if (loads) {
        context.block->cache->load_beyond(line, mask);
      } else if (adds) {
        context.block->cache->atomic(line, mask, false);
      } else {
        context.block->cache->store_beyond(line, mask);
      }
    }
  });
}

/// Coordinates with which a card stops the kernel: seen on an H200, as an illegal instruction.
bool has_bad_coordinates(const WarpContext& context, const Inst& in, std::size_t lane,
                         const TensorMap& map, const Box& box) {
  const bool stores = copy_of(in).kind == TensorOperands::Kind::store;
  if (!box.aligned()) {
    report_map(context, in, lane, "the first coordinate of a copy by tensor map is misaligned",
               fmt::format("a box at {}, with elements of {} bytes", box.coordinates(),
                           bytes_of(map.element)),
               "a box that begins at a multiple of 16 bytes along the innermost dimension",
               "Copy from the multiple of 16 bytes before, and use only what is needed.");
    return true;
  }
  if (stores && box.begins_before_array()) {
    report_map(context, in, lane, "a store by tensor map begins before the array",
               fmt::format("a box at {}", box.coordinates()),
               "coordinates of 0 and above; only loads may begin below",
               "Let boxes that are stored begin inside the array; they may reach beyond its end.");
    return true;
  }
  return false;
}

/// Remembers how a box was swizzled, for those that read it with a matrix descriptor.
void remember(BlockContext& block, std::uint32_t begin, std::uint32_t bytes,
              std::uint32_t swizzle) {
  auto& boxes = async_of(block).boxes;
  const TensorBox box{begin, begin + bytes, swizzle};
  for (TensorBox& old : boxes) {
    if (old.begin != box.begin || old.end != box.end) continue;
    old.swizzle = swizzle;
    return;
  }
  std::erase_if(boxes,
                [&](const TensorBox& old) { return old.begin < box.end && box.begin < old.end; });
  boxes.push_back(box);
}

void tell_row(WarpContext& context, const Inst& in, std::size_t lane, std::uint64_t address,
              std::uint32_t bytes, AccessType type) {
  tell_transfer(context, in, address, bytes, type);
  tell(*context.block, &Observer::bulk, context, in, lane, address, bytes, type);
}

/// @returns false when a card would have stopped the kernel
bool load_box(WarpContext& context, const Inst& in, std::size_t lane, const TensorMap& map,
              const Box& box, std::uint64_t shared, std::uint64_t barrier) {
  const TensorOperands& operands = copy_of(in);
  const Warp& warp = context.warp;
  const std::uint32_t bytes = map.place_bytes();
  const Located to = find_shared(context, in, lane, shared, bytes, AccessType::store);
  if (to.lanes == 0) return !to.fatal;
  const auto offset = static_cast<std::uint32_t>((shared - kSharedWindow) % kClusterStride);
  BulkCopy copy;
  copy.site = site_of(context, in, 1u << lane);
  copy.bytes = bytes;
  copy.padding = bytes - map.box_bytes();
  copy.issued.assign(to.host[lane], to.host[lane] + bytes);
  std::vector<std::byte> linear(bytes);
  fill(map, linear.data(), bytes);
  tell(*context.block, &Observer::bulk_begin, context);
  bool good = true;
  box.for_rows([&](const BoxRow& row) {
    if (row.bytes == 0 || !good) return;
    const Located from = find_global(context, in, lane, row.address, row.bytes, AccessType::load);
    if (from.lanes == 0) {
      good = !from.fatal;
      return;
    }
    if (context.block->launch->options.checks.unwritten) {
      check_written(context, in, row.bytes, from);
    }
    std::memcpy(linear.data() + row.at + row.skipped, from.host[lane], row.bytes);
    convert(map, linear.data() + row.at + row.skipped, row.bytes);
    tell_row(context, in, lane, row.address, row.bytes, AccessType::load);
  });
  if (!good) return false;
  for (std::uint32_t row = 0; row < bytes; row += map.pitch()) {
    for (std::uint32_t at = row; at < row + map.row_bytes(); at += kCopyChunk) {
      const std::uint32_t place = swizzled(map, offset, at);
      if (place + kCopyChunk <= bytes)
        std::memcpy(copy.issued.data() + place, &linear[at], kCopyChunk);
    }
  }
  const auto at_barrier = static_cast<std::uint32_t>((barrier - kSharedWindow) % kClusterStride);
  const auto& blocks = context.block->cluster->blocks;
  std::uint32_t mask = 0;
  if (operands.mask >= 0) {
    mask = warp.reg<std::uint16_t>(operands.mask)[lane] & ((1u << blocks.size()) - 1);
    if (mask == 0) return true;
  }
  count_box(context, in, box, true, map.row_bytes(),
            mask == 0 ? 1 : static_cast<std::uint64_t>(std::popcount(mask)));
  if (mask == 0 || blocks.size() == 1) {
    tell(*context.block, &Observer::bulk, context, in, lane, shared, bytes, AccessType::store);
  } else {
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const auto upper = static_cast<std::uint64_t>(std::countr_zero(rest)) + 1;
      tell(*context.block, &Observer::bulk, context, in, lane,
           kSharedWindow + upper * kClusterStride + offset, bytes, AccessType::store);
    }
  }
  const CopyBrings known = copy_issued(context, lane);
  const auto into = [&](BlockContext& block) {
    remember(block, offset, bytes, map.swizzle);
    count_copy_wait(block, at_barrier);
    defer_copy(block, offset, at_barrier, copy, known);
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

BulkType reduction_type(TensorElement element) {
  switch (element) {
    case TensorElement::s32:
      return BulkType::s32;
    case TensorElement::u64:
      return BulkType::u64;
    case TensorElement::s64:
      return BulkType::s64;
    case TensorElement::f16:
      return BulkType::f16;
    case TensorElement::bf16:
      return BulkType::bf16;
    case TensorElement::f64:
      return BulkType::f64;
    case TensorElement::f32:
    case TensorElement::f32_ftz:
    case TensorElement::tf32:
    case TensorElement::tf32_ftz:
      return BulkType::f32;
    default:
      return BulkType::u32;
  }
}

bool store_box(WarpContext& context, const Inst& in, std::size_t lane, const TensorMap& map,
               const Box& box, std::uint64_t shared) {
  const TensorOperands& operands = copy_of(in);
  const std::uint32_t bytes = map.place_bytes();
  const Located from = find_shared(context, in, lane, shared, bytes, AccessType::load);
  if (from.lanes == 0) return !from.fatal;
  if (context.block->launch->options.checks.unwritten) check_written(context, in, bytes, from);
  const auto offset = static_cast<std::uint32_t>((shared - kSharedWindow) % kClusterStride);
  const bool reduces = operands.reduction != BulkReduction::none;
  const AccessType type = reduces ? AccessType::atomic : AccessType::store;
  tell(*context.block, &Observer::proxy_read, context, in, lane, offset, bytes);
  tell(*context.block, &Observer::bulk, context, in, lane, shared, bytes, AccessType::load);
  count_box(context, in, box, false, map.row_bytes(), 1);
  WarpAsync& state = async_of(context);
  bool good = true;
  box.for_rows([&](BoxRow row) {
    if (row.bytes == 0 || !good) return;
    // The engine writes whole pieces of 16 bytes, also the one in which the array ends.
    row.bytes = std::min((row.bytes + kCopyChunk - 1) / kCopyChunk * kCopyChunk, map.row_bytes());
    const Located to = find_global(context, in, lane, row.address, row.bytes, AccessType::store);
    if (to.lanes == 0) {
      good = !to.fatal;
      return;
    }
    if (!reduces || context.block->cluster->blocks.size() > 1) {
      tell_row(context, in, lane, row.address, row.bytes, type);
    }
    // A swizzle moves pieces of 16 bytes; without one, a row is one piece.
    const std::uint32_t piece = map.swizzle == 0 ? map.row_bytes() : kCopyChunk;
    for (std::uint32_t at = 0; at < map.row_bytes(); at += piece) {
      const std::uint32_t begin = std::max(at, row.skipped);
      const std::uint32_t end = std::min(at + piece, row.skipped + row.bytes);
      if (begin >= end) continue;
      BulkCopy copy;
      copy.site = site_of(context, in, 1u << lane);
      copy.bytes = end - begin;
      copy.from = from.host[lane] + swizzled(map, offset, row.at + at) + (begin - at);
      copy.issued.assign(copy.from, copy.from + copy.bytes);
      copy.to = to.host[lane] + (begin - row.skipped);
      copy.to_address = row.address + (begin - row.skipped);
      copy.reduction = operands.reduction;
      copy.type = reduction_type(map.element);
      copy.lane = static_cast<std::uint32_t>(lane);
      copy.group = state.open_bulk_group[lane];
      state.bulk.push_back(std::move(copy));
    }
  });
  return good;
}

}  // namespace

const Inst* copy_tensor(Warp& warp, const Inst& in) {
  WarpContext& context = *warp.context;
  const TensorOperands& operands = copy_of(in);
  std::uint64_t map_at[kWarpSize], shared[kWarpSize] = {}, barrier[kWarpSize] = {};
  generic_addresses(warp, operands.map, map_at);
  if (operands.kind != TensorOperands::Kind::prefetch) {
    generic_addresses(warp, operands.shared, shared);
    if (check_alignment(context, in, shared, kBoxAlignment, "shared")) {
      return abort_launch(warp, in, LaunchStatus::misaligned);
    }
  }
  if (operands.barrier.slot >= 0) generic_addresses(warp, operands.barrier, barrier);
  bool good = true;
  for_lanes(warp.active, [&](std::size_t lane) {
    if (!good) return;
    const std::optional<TensorMap> map = find_map(context, in, lane, map_at[lane]);
    good = map.has_value();
    if (!good) return;
    const Box box(*map, warp, operands, lane);
    good = !has_bad_coordinates(context, in, lane, *map, box);
    if (!good) return;
    switch (operands.kind) {
      case TensorOperands::Kind::load:
        good = load_box(context, in, lane, *map, box, shared[lane], barrier[lane]);
        break;
      case TensorOperands::Kind::store:
        good = store_box(context, in, lane, *map, box, shared[lane]);
        break;
      case TensorOperands::Kind::prefetch:
        break;
    }
  });
  if (!good) return abort_launch(warp, in, LaunchStatus::illegal_address);
  return &in + 1;
}

TensorOperands& new_tensor_operands() {
  return *keep(std::make_unique<TensorOperands>());
}

}  // namespace warpsim
