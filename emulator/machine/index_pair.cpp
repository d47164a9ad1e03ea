#include "emulator/machine/index_pair.h"

#include <optional>

#include "emulator/changes/changes.h"
#include "emulator/machine/context.h"
#include "emulator/machine/for_lanes.h"

namespace warpsim {
namespace {

constexpr std::size_t kAlignment = 64;  // of registers

struct Array {
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;
  bool may_be_larger = false;  // a __constant__ array is as large as the largest case
};

std::optional<Array> array_of(const LaunchState& launch, ptx::Space space, std::uint64_t address) {
  if (space == ptx::Space::shared) {
    for (const SharedArray& array : launch.shared_arrays) {
      if (address - array.offset < array.bytes) return Array{array.offset, array.bytes, false};
    }
    return std::nullopt;
  }
  const Extent* extent = launch.find(address);
  if (extent == nullptr) return std::nullopt;
  return Array{extent->base, extent->end - extent->base,
               extent->allocation->kind == GlobalMemory::Kind::constant};
}

/// @returns the address of the element with the indices exchanged; nothing if `address` is in
///          another array than the one that is meant
std::optional<std::uint64_t> exchanged(const LaunchState& launch, const Program::IndexPair& pair,
                                       std::uint64_t address, std::uint32_t width) {
  const std::optional<Array> array = array_of(launch, pair.space, address);
  const IndexPairs& pairs = pair.change->pairs;
  const std::uint64_t bytes = std::uint64_t{pairs.elements} * width;
  if (!array || array->bytes < bytes || (array->bytes > bytes && !array->may_be_larger)) {
    return std::nullopt;
  }
  const std::uint64_t offset = address - array->base;
  if (offset >= bytes) return std::nullopt;
  const std::uint64_t index = offset / width;
  const std::uint64_t other = index % pairs.from * pairs.to + index / pairs.from;
  return array->base + other * width + offset % width;
}

}  // namespace

const Inst* run_with_pair_exchanged(Warp& warp, const Inst& in) {
  const LaunchState& launch = *warp.context->block->launch;
  const Program& program = *warp.context->frame().program;
  const Program::IndexPair& pair = program.index_pairs.at(in.index);
  // The addresses go behind the frame, since the destination may use the registers of the address.
  Inst moved = in;
  moved.run = pair.access;
  moved.a = static_cast<std::int32_t>((program.frame_image.size() + kAlignment - 1) / kAlignment *
                                      kAlignment);
  std::uint64_t places = 0;
  const auto move = [&](auto* to, const auto* from) {
    using Address = std::remove_pointer_t<decltype(to)>;
    for (int i = 0; i < kWarpSize; ++i) to[i] = from[i];
    for_lanes(warp.active, [&](std::size_t lane) {
      const auto address = static_cast<Address>(from[lane] + static_cast<Address>(in.offset));
      if (const auto other = exchanged(launch, pair, address, in.width)) {
        to[lane] = static_cast<Address>(*other) - static_cast<Address>(in.offset);
        ++places;
      }
    });
  };
  if (pair.wide) {
    move(warp.reg<std::uint64_t>(moved.a), warp.reg<const std::uint64_t>(in.a));
  } else {
    move(warp.reg<std::uint32_t>(moved.a), warp.reg<const std::uint32_t>(in.a));
  }
  if (places != 0 && !pair.made.exchange(true)) launch.options.changes->made(*pair.change);
  const Inst* next = moved.run(warp, moved);
  return next == &moved + 1 ? &in + 1 : next;
}

}  // namespace warpsim
