#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/checkers/uninitialized/flow.h"
#include "emulator/checkers/uninitialized/tracking.h"
#include "emulator/machine/access.h"
#include "emulator/machine/address.h"
#include "emulator/machine/context.h"
#include "emulator/machine/for_lanes.h"

// Tainted values on their way through memory. In shared and local memory a byte that holds one
// counts as uninitialized again, and a relay remembers where the value came from. What reaches
// global memory is a result, and reported, unless it is only a part that was moved along: padding.

namespace warpsim {
namespace {

using Addresses = std::array<std::uint64_t, kWarpSize>;

std::uint64_t local_key(std::size_t lane, std::uint64_t offset) {
  return std::uint64_t{lane} << 32 | offset;
}

/// The shadow of a lane's bytes; null where nothing is tracked or the bytes are not there.
std::uint8_t* shadow(WarpContext& context, ptx::Space space, std::size_t lane,
                     std::uint64_t address, std::uint32_t width) {
  BlockContext& block = *context.block;
  switch (space) {
    case ptx::Space::shared:
      if (address + width > block.launch->shared_bytes) return nullptr;
      if ((block.watch & kInitialization) != 0) block.watch |= kSharedInitialization;
      return block.shared_written.bytes() + address;
    case ptx::Space::local:
      if (address + width > context.local_stride) return nullptr;
      return context.local_written.bytes() + lane * context.local_stride + address;
    default: {
      const Extent* extent = block.launch->find(address);
      if (extent == nullptr || extent->end - address < width) return nullptr;
      const GlobalMemory::Allocation& allocation = *extent->allocation;
      if (allocation.written == nullptr || allocation.all_written) return nullptr;
      return allocation.written + (address - extent->base);
    }
  }
}

const Relay* relay_at(const WarpContext& context, ptx::Space space, std::size_t lane,
                      std::uint64_t address) {
  if (space == ptx::Space::shared) {
    const auto& relays = tracking_of(*context.block).shared;
    const auto it = relays.find(static_cast<std::uint32_t>(address));
    return it == relays.end() ? nullptr : &it->second;
  }
  if (space != ptx::Space::local) return nullptr;
  const auto it = tracking_of(context).local.find(local_key(lane, address));
  return it == tracking_of(context).local.end() ? nullptr : &it->second;
}

/// The lane's destination in a tainted register, made clean where it is new.
TaintedSlot& lane_of(WarpContext& context, const FlowPlace& place, std::size_t lane) {
  const std::size_t at = context.frame().window + static_cast<std::size_t>(place.slot);
  TaintedSlot& slot = tracking_of(context).slots[at];
  slot.bytes = place.bytes;
  if (!((slot.lanes >> lane) & 1)) {
    slot.lanes |= 1u << lane;
    slot.computed &= ~(1u << lane);
    slot.origin[lane] = 0;
    std::memset(slot.bits.data() + lane * place.bytes, 0, place.bytes);
  }
  return slot;
}

/// One lane's load: the bytes of `unwritten` for which `is_tainted(k)` gives a relay or, with
/// `fresh`, an origin.
template <class F>
void taint_lane(WarpContext& context, const Flow& flow, std::size_t lane, F taint_of_byte) {
  for (std::size_t k = 0; k < flow.writes.size(); ++k) {
    const FlowPlace& place = flow.writes[k];
    if (place.slot < 0) continue;
    for (std::uint32_t i = 0; i < flow.element && i < place.bytes; ++i) {
      const Relay taint = taint_of_byte(k * flow.element + i);
      if (taint.origin == 0) continue;
      TaintedSlot& slot = lane_of(context, place, lane);
      std::byte* bits = slot.bits.data() + lane * place.bytes;
      bits[i] = std::byte{0xff};
      slot.origin[lane] =
          merge_origins(tracking_of(*context.block), slot.origin[lane], taint.origin);
      if (taint.computed) slot.computed |= 1u << lane;
      const bool top = i + 1u == flow.element;
      if (top && flow.is_signed) std::fill(bits + i, bits + place.bytes, std::byte{0xff});
    }
  }
}

/// A new origin for a load, or the last one again when a block has very many.
/// @param address  by lane
template <class T>
std::uint32_t new_origin(WarpContext& context, const Inst& in, const T* address,
                         std::uint32_t lanes, std::uint32_t whole, ptx::Space space) {
  BlockTracking& block = tracking_of(*context.block);
  constexpr std::size_t kMost = 8192;
  std::uint32_t& latest = block.latest[&in];
  if (latest == 0 || block.origins.size() < kMost) {
    latest = static_cast<std::uint32_t>(block.origins.size());
    block.origins.emplace_back();
  }
  Origin& origin = block.origins[latest];
  origin.inst = &in;
  origin.program = context.frame().program;
  origin.warp = context.warp.warp_index;
  origin.lanes = lanes;
  origin.whole = whole;
  origin.width = space == ptx::Space::reg ? sizeof(std::uint32_t) : in.width;
  origin.space = space;
  origin.executed = context.executed;
  std::copy_n(address, kWarpSize, origin.address.begin());
  return latest;
}

/// A tainted value that a store is about to write: which of its bytes are, by lane.
struct Stored {
  std::array<std::uint8_t, 64> bits{};  // the element's bits in order of memory
  bool computed = false;
  std::uint32_t origin = 0;
  unsigned tainted = 0;  // bits
};

Stored stored_by(const WarpContext& context, const Flow& flow, std::size_t lane) {
  Stored stored;
  for (std::size_t k = 0; k < flow.reads.size(); ++k) {
    if (flow.reads[k].slot < 0) continue;
    const auto it = tracking_of(context).slots.find(context.frame().window +
                                                    static_cast<std::size_t>(flow.reads[k].slot));
    if (it == tracking_of(context).slots.end()) continue;
    const TaintedSlot& slot = it->second;
    if (!((slot.lanes >> lane) & 1)) continue;
    const std::byte* from = slot.bits.data() + lane * slot.bytes;
    unsigned here = 0;
    for (std::size_t i = 0; i < flow.element && i < slot.bytes; ++i) {
      const auto bits = static_cast<std::uint8_t>(from[i]);
      stored.bits[k * flow.element + i] = bits;
      here += static_cast<unsigned>(std::popcount(bits));
    }
    if (here == 0) continue;
    stored.tainted += here;
    stored.origin = merge_origins(tracking_of(*context.block), stored.origin, slot.origin[lane]);
    stored.computed = stored.computed || ((slot.computed >> lane) & 1);
  }
  return stored;
}

/// Bits that are only a part of what was moved to global memory do not make a wrong result:
/// padding of a structure, the other fields of a word, a byte of a copy byte by byte. Nor does what
/// goes back to where it was: members of a structure that is copied, used and stored as a whole.
bool is_result(const WarpContext& context, const Stored& stored, std::uint32_t width,
               std::size_t lane, std::uint64_t address) {
  if (stored.computed) return true;
  if (width == 1) return false;
  const Origin& origin = tracking_of(*context.block).origins[stored.origin];
  const bool returns = origin.inst != nullptr && origin.space == ptx::Space::global &&
                       origin.width == width && origin.address[lane] == address;
  if (returns && origin.warp == context.warp.warp_index) return false;
  if (stored.tainted == 8 * width) return true;
  if (origin.inst == nullptr) return false;
  const bool known = (origin.lanes >> lane) & 1;
  const bool whole = known ? (origin.whole >> lane) & 1 : origin.whole != 0;
  return whole && stored.tainted >= 8 * origin.width;
}

}  // namespace

void UninitializedChecker::follow(WarpContext& context) {
  BlockContext& block = *context.block;
  if (block.slots.get<BlockTracking>(kUninitializedSlot) == nullptr) {
    block.slots.put(kUninitializedSlot, std::make_shared<BlockTracking>());
    block.keeps_warps = true;
  }
  if (context.follower == nullptr) {
    context.slots.put(kUninitializedSlot, std::make_shared<Tracking>());
    context.follower = this;
  }
  if (context.slow == 0) leave_run_loop(context);
  context.slow |= kFollowed;
}

bool UninitializedChecker::load_uninitialized(WarpContext& context, const Inst& in,
                                              const Located& at, std::uint32_t bad,
                                              ptx::Space space) {
  const Flow& flow = flow_at(context, in);
  if (flow.effect != Effect::load && !flow.exchanges) return false;
  const bool overwrites = (in.flags & kDeadResult) != 0;
  if (!overwrites) follow(context);
  std::uint32_t whole = 0;
  std::uint32_t origin = 0;
  for_lanes(bad, [&](std::size_t lane) {
    const std::uint8_t* written = shadow(context, space, lane, at.address[lane], in.width);
    if (written == nullptr) return;
    if (std::all_of(written, written + in.width, [](std::uint8_t b) { return b == 0; })) {
      whole |= 1u << lane;
    }
  });
  for_lanes(bad, [&](std::size_t lane) {
    std::uint8_t* written = shadow(context, space, lane, at.address[lane], in.width);
    if (written == nullptr) return;
    taint_lane(context, flow, lane, [&](std::size_t i) {
      if (written[i] != 0 || overwrites) return Relay{};
      if (const Relay* relay = relay_at(context, space, lane, at.address[lane] + i)) return *relay;
      if (origin == 0) origin = new_origin(context, in, std::begin(at.address), bad, whole, space);
      return Relay{origin, false};
    });
    if (flow.exchanges) std::memset(written, 1, in.width);
  });
  return true;
}

void UninitializedChecker::shuffle_undefined(WarpContext& context, const Inst& in,
                                             std::uint32_t lanes, const std::uint32_t* source) {
  follow(context);
  tracking_of(context).shuffled = lanes;
  const Flow& flow = flow_at(context, in);
  if (flow.writes.empty() || flow.writes.front().slot < 0) return;
  const std::uint32_t origin = new_origin(context, in, source, lanes, lanes, ptx::Space::reg);
  for_lanes(lanes, [&](std::size_t lane) {
    TaintedSlot& slot = lane_of(context, flow.writes.front(), lane);
    std::memset(slot.bits.data() + lane * slot.bytes, 0xff, slot.bytes);
    slot.computed &= ~(1u << lane);
    slot.origin[lane] = origin;
  });
}

void track_parameter_load(WarpContext& context, const Flow& flow, std::uint32_t lanes,
                          const Addresses& offsets) {
  if (tracking_of(context).local.empty()) return;
  for_lanes(lanes, [&](std::size_t lane) {
    const auto width = static_cast<std::uint32_t>(flow.element * flow.writes.size());
    const std::uint8_t* written = shadow(context, ptx::Space::local, lane, offsets[lane], width);
    if (written == nullptr) return;
    taint_lane(context, flow, lane, [&](std::size_t i) {
      const Relay* relay = relay_at(context, ptx::Space::local, lane, offsets[lane] + i);
      return relay == nullptr || written[i] != 0 ? Relay{} : *relay;
    });
  });
}

void track_store(WarpContext& context, const Inst& in, const Flow& flow, std::uint32_t lanes,
                 const Addresses& addresses) {
  std::uint32_t reported = 0;
  std::array<std::uint32_t, kWarpSize> origin{};
  for_lanes(lanes, [&](std::size_t lane) {
    const Stored stored = stored_by(context, flow, lane);
    if (stored.tainted == 0) return;
    std::uint64_t address = addresses[lane];
    ptx::Space space = flow.space;
    if (space == ptx::Space::generic) {
      space = ptx::Space::global;
      if (in_window(address, kSharedWindow)) space = ptx::Space::shared;
      if (in_window(address, kLocalWindow)) space = ptx::Space::local;
      if (space == ptx::Space::shared) address -= kSharedWindow;
      if (space == ptx::Space::local) address -= kLocalWindow;
    }
    if (space == ptx::Space::global && is_result(context, stored, in.width, lane, address)) {
      reported |= 1u << lane;
      origin[lane] = stored.origin;
      return;
    }
    std::uint8_t* written = shadow(context, space, lane, address, in.width);
    if (written == nullptr) return;
    for (std::uint32_t i = 0; i < in.width; ++i) {
      // A byte with some bits of its own counts as written: the fields of a word.
      const bool unwritten = stored.bits[i] == 0xff || (stored.computed && stored.bits[i] != 0);
      if (!unwritten) continue;
      written[i] = 0;
      const Relay relay{stored.origin, stored.computed};
      if (space == ptx::Space::shared) {
        tracking_of(*context.block).shared[static_cast<std::uint32_t>(address + i)] = relay;
      } else if (space == ptx::Space::local) {
        tracking_of(context).local[local_key(lane, address + i)] = relay;
        if (flow.parameter) tracking_of(context).parameters = true;
      }
    }
  });
  while (reported != 0) {
    const std::uint32_t first = origin[static_cast<std::size_t>(std::countr_zero(reported))];
    std::uint32_t same = 0;
    for_lanes(reported, [&](std::size_t lane) { same |= origin[lane] == first ? 1u << lane : 0u; });
    report_use(context, in, first, same, Use::store);
    reported &= ~same;
  }
}

void UninitializedChecker::copy_local(WarpContext& context, std::uint32_t lanes, std::uint32_t to,
                                      std::uint32_t from, std::uint32_t bytes) {
  auto& relays = tracking_of(context).local;
  for_lanes(lanes, [&](std::size_t lane) {
    std::uint8_t* written = context.local_written.bytes() + lane * context.local_stride;
    for (std::uint32_t i = 0; i < bytes; ++i) {
      const auto it = relays.find(local_key(lane, from + i));
      const bool tainted = it != relays.end() && written[from + i] == 0;
      written[to + i] = tainted ? 0 : 1;
      if (tainted) {
        relays[local_key(lane, to + i)] = Relay(it->second);
        tracking_of(context).parameters = true;
      }
    }
  });
}

void UninitializedChecker::set_result(WarpContext& context, int lane, std::uint32_t offset,
                                      std::uint32_t bytes) {
  std::memset(context.local_written.bytes() +
                  static_cast<std::size_t>(lane) * context.local_stride + offset,
              1, bytes);
}

void UninitializedChecker::compute_result(WarpContext& context, int lane,
                                          const ParameterPlace& result,
                                          const ParameterPlace& argument) {
  const std::uint32_t base = context.frame().local_base;
  const auto at = static_cast<std::size_t>(lane);
  std::uint8_t* written = context.local_written.bytes() + at * context.local_stride + base;
  const auto key = [&](std::uint32_t offset) {
    return static_cast<std::uint64_t>(lane) << 32 | (base + offset);
  };
  auto& relays = tracking_of(context).local;
  for (std::uint32_t i = argument.offset; i < argument.offset + argument.bytes; ++i) {
    const auto found = relays.find(key(i));
    if (found == relays.end() || written[i] != 0) continue;
    const Relay relay = {.origin = found->second.origin, .computed = true};
    for (std::uint32_t k = result.offset; k < result.offset + result.bytes; ++k) {
      written[k] = 0;
      relays[key(k)] = relay;
    }
    tracking_of(context).parameters = true;
    return;
  }
}

void UninitializedChecker::use_argument(WarpContext& context, const Inst& in, int lane,
                                        std::uint64_t generic_address, std::size_t bytes) {
  if (!in_window(generic_address, kLocalWindow)) return;
  const std::uint64_t offset = generic_address - kLocalWindow;
  const auto at = static_cast<std::size_t>(lane);
  const std::uint8_t* written =
      shadow(context, ptx::Space::local, at, offset, static_cast<std::uint32_t>(bytes));
  if (written == nullptr) return;
  for (std::size_t i = 0; i < bytes; ++i) {
    if (written[i] != 0) continue;
    const Relay* relay = relay_at(context, ptx::Space::local, at, offset + i);
    if (relay == nullptr) continue;
    report_use(context, in, relay->origin, 1u << at, Use::function);
    return;
  }
}

}  // namespace warpsim
