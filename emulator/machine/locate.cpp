#include "emulator/machine/access.h"

#include <algorithm>
#include <bit>

#include "emulator/changes/changes.h"
#include "emulator/isa/description.h"
#include "emulator/machine/address.h"
#include "emulator/machine/cluster.h"
#include "emulator/machine/for_lanes.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/pointer_origins.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kNullPage = 4096;

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

/// An atomic of one or two bytes is done by comparing and swapping the word that they are in, which
/// may be the last one of an array that ends in the middle of it: a card has whole words, too. Such
/// a loop loads the word first. Asked only where an access leaves its array.
bool is_update_of_word(const WarpContext& context, const Inst& in, std::uint32_t width,
                       std::uint64_t address) {
  constexpr std::uint32_t kWord = 4;
  if (width != kWord || address % kWord != 0) return false;
  const Program& program = *context.frame().program;
  const ptx::Instruction* const source = program.source[in.index];
  const ptx::Operand* const here = source == nullptr ? nullptr : address_of(*source);
  if (here == nullptr || here->reg == ptx::kNoIndex) return false;
  if (const Effect effect = describe(*source).effect;
      effect != Effect::load && effect != Effect::atomic) {
    return false;
  }
  return std::ranges::any_of(program.function->instructions, [&](const ptx::Instruction& other) {
    const ptx::Operand* const there = address_of(other);
    return there != nullptr && there->reg == here->reg && there->offset == here->offset &&
           describe(other).atomic == AtomicOperation::compare_and_swap;
  });
}

/// Whether the address is in memory of another device that `device` may not use.
bool lacks_peer_access(const LaunchState& launch, const GlobalMemory::Allocation* near,
                       std::uint64_t address) {
  return near != nullptr && !near->freed && address - near->base < near->size &&
         !launch.memory->reaches(launch.device, *near);
}

/// Lanes access what no live allocation has. @returns true when a card would have stopped there
bool fail_global(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                 const std::uint64_t* addresses, std::uint32_t width, AccessType type) {
  const std::uint64_t address = addresses[std::countr_zero(lanes)];
  const LaunchState& launch = *context.block->launch;
  const GlobalMemory& memory = *launch.memory;
  bool fatal = false;
  for_lanes(lanes,
            [&](std::size_t lane) { fatal = fatal || !memory.in_mapped_page(addresses[lane]); });
  const GlobalMemory::Allocation* const there = memory.nearest(address);
  const AllowedArrays& allowed = allowed_arrays(context, in);
  const GlobalMemory::Allocation* const meant = allowed.known ? allowed.nearest(address) : nullptr;
  const bool leaves = meant != nullptr && memory.near_device_range(address) && meant != there;
  const GlobalMemory::Allocation* const near = leaves ? meant : there;
  const bool null = address < kNullPage;
  const bool no_peer_access = !null && lacks_peer_access(launch, near, address);
  const bool read_only = !null && near != nullptr && GlobalMemory::read_only(launch.device, *near);
  raise(context, {faults::BadGlobal{context, in, lanes, addresses, width, type, there, near, null,
                                    no_peer_access}});
  return fatal || no_peer_access || read_only;
}

}  // namespace

std::uint64_t missing_value(const WarpContext& context) {
  const Changes* changes = context.block->launch->options.changes.get();
  const bool zero = changes != nullptr && changes->find(Change::Kind::outside) != nullptr;
  return zero ? 0 : 0xCBCBCBCBCBCBCBCBu;
}

void InlineCache::fit(std::uint32_t width) {
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
  InlineCache& memo = context.tables->inline_caches[in.index];
  std::uint32_t bad = 0;
  std::uint32_t constant = 0;
  at.lanes = 0;
  for_lanes(context.warp.active, [&](std::size_t lane) {
    const std::uint64_t address = at.address[lane];
    if (!(address - memo.base < memo.end - memo.base && memo.end - address >= width)) {
      const Extent* extent = launch.find(address);
      const bool inside = extent != nullptr && (extent->end - address >= width ||
                                                is_update_of_word(context, in, width, address));
      const bool writes_read_only = type != AccessType::load && extent != nullptr &&
                                    GlobalMemory::read_only(launch.device, *extent->allocation);
      if (!inside || writes_read_only || !allowed_arrays(context, in).allow(*extent)) {
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
    const bool fatal = fail_global(context, in, bad, at.address, width, type);
    at.fatal = !drops_outside(context, in) && fatal;
  }
  if (constant != 0) {
    const std::uint64_t address = at.address[std::countr_zero(constant)];
    raise(context, {faults::WriteToConstant{context, in, constant, address}});
    at.fatal = true;
  }
}

void locate_shared(WarpContext& context, const Inst& in, std::uint32_t width, AccessType type,
                   Located& at) {
  const BlockContext& block = *context.block;
  InlineCache& memo = context.tables->inline_caches[in.index];
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
    if (array == nullptr && offset + width <= block.shared.size() &&
        is_update_of_word(context, in, width, offset)) {
      // An array of bytes may begin in the middle of a word, too.
      for (std::uint32_t i = 0; i < width && array == nullptr; ++i) {
        array = shared_array(*block.launch, offset + i, 1);
      }
    }
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
    raise(context, {faults::BadShared{context, in, bad, offsets, width, type}});
    const bool fatal = offsets[std::countr_zero(bad)] >= block.launch->shared_bytes;
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
    raise(context, {faults::BadLocal{context, in, bad, at.address, width, type}});
    at.fatal = !drops_outside(context, in);
  }
}

bool check_alignment(WarpContext& context, const Inst& in, const std::uint64_t* address,
                     std::uint32_t align, std::string_view space) {
  std::uint32_t bad = 0;
  for_lanes(context.warp.active, [&](std::size_t lane) {
    if (address[lane] % align != 0) bad |= 1u << lane;
  });
  if (bad == 0) return false;
  const std::uint64_t first = address[std::countr_zero(bad)];
  raise(context, {faults::Misaligned{context, in, bad, first, align, space}});
  return true;
}

}  // namespace warpsim
