#include "emulator/machine/index_pair.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <type_traits>

#include "emulator/machine/context.h"
#include "emulator/machine/for_lanes.h"

namespace warpsim {
namespace {

constexpr std::size_t kAlignment = 64;  // of registers

/// The rows of a tile with `elements` elements, which is square or has one more column as padding;
/// 0: it is not such a tile.
std::uint32_t tile_rows(std::uint64_t elements) {
  const auto rows = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(elements)));
  const bool is_tile =
      elements == std::uint64_t{rows} * rows || elements == std::uint64_t{rows} * (rows + 1);
  return is_tile && rows > 1 ? rows : 0;
}

/// An array whose accesses are changed.
struct Array {
  std::uint64_t base = 0;
  IndexPairs pairs;
};

std::optional<Array> shared_array(const LaunchState& launch, const IndexPairs& pairs,
                                  std::uint64_t address, std::uint32_t width) {
  for (const SharedArray& array : launch.shared_arrays) {
    if (address - array.offset >= array.bytes) continue;
    const std::uint64_t elements = array.bytes / width;
    const std::uint32_t rows = pairs.elements == 0 ? tile_rows(elements) : 0;
    if (rows == 0) return std::nullopt;
    const std::uint32_t row = static_cast<std::uint32_t>(elements / rows);
    return Array{array.offset, {.elements = rows * row, .from = row, .to = row}};
  }
  return std::nullopt;
}

std::optional<Array> global_array(const LaunchState& launch, const IndexPairs& pairs,
                                  std::uint64_t address, std::uint32_t width) {
  const Extent* extent = launch.find(address);
  const std::uint64_t bytes = std::uint64_t{pairs.elements} * width;
  if (extent == nullptr || bytes == 0) return std::nullopt;
  if (extent->allocation->kind == GlobalMemory::Kind::constant) {
    // A __constant__ array is as large as the largest case.
    return extent->end - extent->base >= bytes ? std::optional(Array{extent->base, pairs})
                                               : std::nullopt;
  }
  if (extent->end - extent->base != bytes) return std::nullopt;
  if (pairs.ordinal != 0) {
    const auto equal =
        std::count_if(launch.extents.begin(), launch.extents.end(), [&](const Extent& other) {
          return other.base <= extent->base && other.end - other.base == bytes;
        });
    if (equal != pairs.ordinal) return std::nullopt;
  }
  return Array{extent->base, pairs};
}

/// @returns the address of the element with the indices exchanged; nothing if `address` is in
///          another array than the one that is meant
std::optional<std::uint64_t> exchanged(const LaunchState& launch, const IndexPair& pair,
                                       std::uint64_t address, std::uint32_t width) {
  const auto array_of = pair.space == ptx::Space::shared ? shared_array : global_array;
  const std::optional<Array> array = array_of(launch, pair.change->pairs, address, width);
  if (!array) return std::nullopt;
  const IndexPairs& pairs = array->pairs;
  const std::uint64_t offset = address - array->base;
  const std::uint64_t index = offset / width;
  const std::uint64_t other = index % pairs.from * pairs.to + index / pairs.from;
  // A padding column has no counterpart.
  if (index >= pairs.elements || other >= pairs.elements) return std::nullopt;
  return array->base + other * width + offset % width;
}

}  // namespace

const Inst* run_with_pair_exchanged(Warp& warp, const Inst& in) {
  const LaunchState& launch = *warp.context->block->launch;
  const auto& program = static_cast<const ChangedProgram&>(*warp.context->frame().program);
  IndexPair& pair = program.index_pairs.at(in.index);
  // The addresses go after the frame, since the destination may use the registers of the address.
  // Other lanes may have a frame there.
  Inst moved = in;
  moved.a = static_cast<std::int32_t>((program.frame_image.size() + kAlignment - 1) / kAlignment *
                                      kAlignment);
  std::uint64_t kept[kWarpSize];
  std::memcpy(kept, warp.regs + moved.a, sizeof kept);
  bool any = false;
  const auto move = [&](auto* to, const auto* from) {
    using Address = std::remove_pointer_t<decltype(to)>;
    std::copy_n(from, kWarpSize, to);
    for_lanes(warp.active, [&](std::size_t lane) {
      std::uint64_t address = from[lane] + static_cast<std::uint64_t>(in.offset);
      if (pair.space == ptx::Space::shared) address = static_cast<std::uint32_t>(address);
      if (const auto other = exchanged(launch, pair, address, in.width)) {
        to[lane] += static_cast<Address>(*other - address);
        any = any || *other != address;
      }
    });
  };
  if (pair.wide) {
    move(warp.reg<std::uint64_t>(moved.a), warp.reg<const std::uint64_t>(in.a));
  } else {
    move(warp.reg<std::uint32_t>(moved.a), warp.reg<const std::uint32_t>(in.a));
  }
  if (any && !pair.made.exchange(true)) launch.options.changes->made(*pair.change);
  const Inst* next = pair.access(warp, moved);
  std::memcpy(warp.regs + moved.a, kept, sizeof kept);
  return next == &moved + 1 ? &in + 1 : next;
}

}  // namespace warpsim
