#include "emulator/machine/races.h"

#include <algorithm>
#include <bit>

#include "emulator/machine/address.h"
#include "emulator/machine/linker.h"

namespace warpsim {
namespace {

RaceSite make_site(const Program& program, const Inst& in) {
  RaceSite site;
  site.program = &program;
  site.inst = &in;
  const ptx::Instruction* source = program.source[in.index];
  if (source == nullptr) return site;
  const auto has = [&](std::string_view modifier) {
    return std::ranges::find(source->modifiers, modifier) != source->modifiers.end();
  };
  const bool atomic = source->opcode == "atom" || source->opcode == "red";
  const bool is_volatile = has("volatile");
  if (atomic || is_volatile || has("relaxed") || has("acquire") || has("release") || has("mmio")) {
    site.traits |= kStrongAccess;
  }
  if (is_volatile) site.traits |= kPlainVolatile;
  if (atomic && (has("cas") || has("min") || has("max") || has("and") || has("or"))) {
    site.traits |= kValidating;
  }
  if (has("cta")) {
    site.traits |= kBlockScope;
    site.device = false;
  }
  site.constant = program.access[in.index] == AccessKind::constant_load;
  site.releases = has("release") || has("acq_rel");
  return site;
}

/// The launch's record of an instruction. Numbers depend on which host thread came first, so
/// nothing else may.
const RaceSite& new_site(WarpContext& context, const Inst& in) {
  const RaceSite*& site = context.tables->race_memos[in.index].site;
  LaunchRaces& races = *context.block->launch->races;
  const std::lock_guard lock(races.mutex);
  const auto known =
      std::ranges::find(races.sites, &in, [](const RaceSite& other) { return other.inst; });
  if (known != races.sites.end()) {
    site = &*known;
  } else {
    races.sites.push_back(make_site(*context.frame().program, in));
    races.sites.back().number =
        std::min(static_cast<std::uint32_t>(races.sites.size() - 1), Stamp::kMaxSite);
    site = &races.sites.back();
  }
  return *site;
}

inline const RaceSite& site_of(WarpContext& context, const Inst& in) {
  const RaceSite* site = context.tables->race_memos[in.index].site;
  return site != nullptr ? *site : new_site(context, in);
}

Stamp stamp_of(const WarpContext& context, const RaceSite& site, std::uint32_t lanes,
               AccessType type) {
  const WarpOrder& order = context.block->races->order.warp(context.warp.warp_index);
  std::uint32_t traits = site.traits;
  if (type != AccessType::load) traits |= kWriteAccess;
  // One lane that stores a volatile word is a signal rather than an exchange in lock-step.
  if (type == AccessType::store && std::has_single_bit(lanes)) traits &= ~kPlainVolatile;
  return Stamp::of(order.now, site.number, context.warp.warp_index, traits);
}

/// Compares what the block did since the last time with what other blocks did.
void settle(BlockContext& block) {
  LaunchRaces& launch = *block.launch->races;
  BlockRaces& races = *block.races;
  races.lines.settle([&](const BlockLines::Line& line) {
    launch.grid.add(line, &races.order, launch.among_blocks);
  });
}

/// What a strong access at `place` teaches the warp and what it publishes there.
void synchronise(WarpContext& context, const RaceSite& site, SyncPlaces& places,
                 std::uint64_t address, std::uint32_t lanes, AccessType type) {
  BlockRaces& races = *context.block->races;
  const std::uint32_t index = context.warp.warp_index;
  const WarpOrder& order = races.order.warp(index);
  const auto found = places.empty() ? places.end() : places.find(address);
  if (type != AccessType::store && found != places.end()) {
    // The fence or barrier behind an acquiring read is not asked for: a branch on the value and
    // a barrier is the form that CUDA's own samples use.
    const SyncPlace& place = found->second;
    if (site.device) {
      race_learn(*context.block, index, place.device);
      races.order.learn_reads(index, place.reads);
    }
    if (place.writer == races.order.block()) race_learn(*context.block, index, place.block);
  }
  if (type == AccessType::load) return;
  if (order.fenced_block.empty()) {
    // A store without a fence ends what earlier ones published; an update carries it on.
    if (type != AccessType::store) return;
    if (found != places.end()) places.erase(found);
    // CUB's scans and selections signal like this that what they read may be overwritten.
    const bool global = &places == &context.block->launch->races->places;
    if (global && site.device && std::has_single_bit(context.warp.active)) {
      settle(*context.block);
      places[address].reads = races.order.reads(index, lanes, context.live);
    }
    return;
  }
  SyncPlace& place = found != places.end() ? found->second : places[address];
  if (type == AccessType::store) place = SyncPlace{};
  BlockKnowledge itself;
  itself.parts.push_back({index, lanes, order.now, 0, order.now});
  if (site.device && !order.fenced_device.empty()) {
    place.device.join(order.fenced_device);
    place.device.add(races.order.block(), itself);
  }
  if (place.writer != races.order.block()) place.block = Knowledge();
  place.writer = races.order.block();
  place.block.join(order.fenced_block);
  place.block.add(races.order.block(), itself);
}

void fence(WarpContext& context, bool device) {
  BlockRaces& races = *context.block->races;
  const bool publishes = device && context.block->launch->races->blocks_meet;
  // Who learns of this block's accesses finds them in the grid's shadow.
  if (publishes) settle(*context.block);
  races.order.fence(context.warp.warp_index, context.warp.active, context.live, publishes);
}

/// A strong write behind a fence, which may publish, is a moment of its own: it is itself known to
/// who reads it, but not what its thread did between the fence and it.
void begin_publishing(WarpContext& context, const RaceSite& site, AccessType type) {
  BlockOrder& order = context.block->races->order;
  const std::uint32_t index = context.warp.warp_index;
  if ((site.traits & kStrongAccess) == 0 || type == AccessType::load) return;
  if (site.releases) fence(context, site.device);
  if (!order.warp(index).fenced_block.empty()) order.step(index);
}

template <class Address>
void synchronise_lanes(WarpContext& context, const RaceSite& site, SyncPlaces& places,
                       const Address* address, std::uint32_t lanes, AccessType type) {
  std::uint32_t left = lanes;
  while (left != 0) {
    const std::uint64_t place = address[std::countr_zero(left)];
    std::uint32_t here = 0;
    for (std::uint32_t rest = left; rest != 0; rest &= rest - 1) {
      if (address[std::countr_zero(rest)] == place) here |= rest & (~rest + 1);
    }
    left &= ~here;
    synchronise(context, site, places, place, here, type);
  }
  BlockOrder& order = context.block->races->order;
  const std::uint32_t index = context.warp.warp_index;
  if (type != AccessType::load && !order.warp(index).fenced_block.empty()) order.step(index);
}

}  // namespace

void race_shared(WarpContext& context, const Inst& in, const std::uint32_t* offset,
                 std::uint32_t lanes, std::uint32_t width, AccessType type,
                 const StoredValues* values) {
  if (lanes == 0) return;
  BlockContext& block = *context.block;
  BlockRaces& races = *block.races;
  const RaceSite& site = site_of(context, in);
  if ((site.traits & kStrongAccess) != 0) begin_publishing(context, site, type);
  const WarpAccess access{stamp_of(context, site, lanes, type), lanes, width, values};
  const LaunchRaces& launch = *block.launch->races;
  const std::uint32_t first = offset[std::countr_zero(lanes)];
  if (first >= launch.reserved_begin && first < launch.reserved_end) {
    // Nothing to compare.
  } else if (type == AccessType::load) {
    races.shared.load(races.order, races.conflicts, access, offset);
  } else {
    races.shared.store(races.order, races.conflicts, access, offset, block.shared.data());
  }
  if ((site.traits & kStrongAccess) != 0) {
    synchronise_lanes(context, site, races.shared_places, offset, lanes, type);
  }
}

void race_shared_load(WarpContext& context, const Inst& in, std::uint32_t first,
                      const LaneShape& shape, std::uint32_t width) {
  const BlockContext& block = *context.block;
  BlockRaces& races = *block.races;
  const LaunchRaces& launch = *block.launch->races;
  if (first >= launch.reserved_begin && first < launch.reserved_end) return;
  const RaceSite& site = site_of(context, in);
  const WarpAccess access{stamp_of(context, site, shape.mask, AccessType::load), shape.mask, width};
  races.shared.load(races.order, races.conflicts, access, first, shape);
}

void race_global(WarpContext& context, const Inst& in, std::uint64_t first, const LaneShape& shape,
                 std::uint32_t width, const std::uint64_t* address, const StoredValues* values) {
  const RaceSite& site = site_of(context, in);
  if (site.constant) return;
  BlockRaces& races = *context.block->races;
  const AccessType type = values == nullptr ? AccessType::load : AccessType::store;
  const WarpAccess access{stamp_of(context, site, shape.mask, type), shape.mask, width, values};
  races.lines.access(races.order, races.conflicts, access, first, shape,
                     context.tables->race_memos[in.index].pieces, address);
}

void race_global(WarpContext& context, const Inst& in, const std::uint64_t* address,
                 std::uint32_t lanes, std::uint32_t width, AccessType type,
                 const StoredValues* values) {
  if (lanes == 0) return;
  const RaceSite& site = site_of(context, in);
  if (site.constant) return;
  BlockRaces& races = *context.block->races;
  if ((site.traits & kStrongAccess) != 0) begin_publishing(context, site, type);
  const WarpAccess access{stamp_of(context, site, lanes, type), lanes, width, values};
  races.lines.access(races.order, races.conflicts, access, address);
  LaunchRaces& launch = *context.block->launch->races;
  if ((site.traits & kStrongAccess) != 0 && launch.blocks_meet) {
    synchronise_lanes(context, site, launch.places, address, lanes, type);
  }
}

void race_generic(WarpContext& context, const Inst& in, const std::uint64_t* address,
                  std::uint32_t lanes, std::uint32_t width, AccessType type,
                  const StoredValues* values) {
  std::uint32_t shared = 0;
  std::uint32_t global = 0;
  alignas(64) std::uint32_t offset[kWarpSize] = {};
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (in_window(address[lane], kSharedWindow)) {
      shared |= 1u << lane;
      // Races are looked for where a cluster is one block: whatever the rank, it is this one.
      offset[lane] = static_cast<std::uint32_t>((address[lane] - kSharedWindow) % kClusterStride);
    } else if (!in_window(address[lane], kLocalWindow) && !in_window(address[lane], kParamWindow)) {
      global |= 1u << lane;
    }
  }
  race_shared(context, in, offset, shared, width, type, values);
  race_global(context, in, address, global, width, type, values);
}

void race_fence(WarpContext& context, const Inst& in) {
  fence(context, site_of(context, in).device);
}

void race_sync_lanes(WarpContext& context, std::uint32_t members) {
  context.block->races->order.sync_lanes(context.warp.warp_index, members, context.live);
}

void race_arrive(WarpContext& context, std::uint32_t id, bool whole) {
  if (whole) return;
  BlockRaces& races = *context.block->races;
  races.barriers[id].join(
      races.order.arrive(context.warp.warp_index, context.warp.active, context.live));
}

void race_release(BlockContext& block, std::uint32_t id, bool whole) {
  BlockRaces& races = *block.races;
  if (whole) {
    if (block.launch->races->blocks_meet && races.order.barrier_teaches()) settle(block);
    races.order.barrier();
    races.shared.barrier();
    races.barriers[id] = Knowledge();
    return;
  }
  for (const auto& warp : block.warps) {
    const bool waits = std::ranges::any_of(warp->groups, [&](const Group& group) {
      return group.state == Group::State::at_barrier && group.barrier == id;
    });
    if (waits) race_learn(block, warp->warp.warp_index, races.barriers[id]);
  }
  races.barriers[id] = Knowledge();
}

void race_learn(BlockContext& block, std::uint32_t warp, const Knowledge& what) {
  BlockOrder& order = block.races->order;
  if (what.empty() || order.warp(warp).known.is(what)) return;
  if (block.launch->races->blocks_meet) settle(block);
  order.learn(warp, what);
}

void race_start_block(BlockContext& block) {
  const LaunchState& launch = *block.launch;
  if (launch.races == nullptr) return;
  if (block.races == nullptr) {
    block.races = std::make_shared<BlockRaces>();
    block.races->shared.reserve(launch.shared_bytes);
  }
  BlockRaces& races = *block.races;
  if (races.order.start(block.linear, launch.warps_per_block)) races.shared.clear();
  races.shared.barrier();
  races.lines.start();
  races.shared_places.clear();
  races.mbarriers.clear();
  for (Knowledge& barrier : races.barriers) barrier = Knowledge();
}

namespace {

void add_all(ConflictLog& from, ConflictLog& to) {
  for (const std::uint32_t site : from.trusted()) to.trust(site);
  for (const ConflictLog::Entry& entry : from.take()) to.add(entry.conflict, entry.count);
}

}  // namespace

void race_finish_block(BlockContext& block) {
  if (block.races == nullptr) return;
  BlockRaces& races = *block.races;
  LaunchRaces& launch = *block.launch->races;
  if (launch.blocks_meet) {
    settle(block);
  } else {
    launch.grid.add_in_order(block.linear, races.lines, launch.among_blocks);
  }
  if (races.conflicts.empty()) return;
  const std::lock_guard lock(launch.mutex);
  add_all(races.conflicts, launch.conflicts);
}

void race_finish_launch(LaunchRaces& launch) {
  add_all(launch.among_blocks, launch.conflicts);
}

}  // namespace warpsim
