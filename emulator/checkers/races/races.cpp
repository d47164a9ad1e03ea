#include "emulator/checkers/races/races.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <vector>

#include "emulator/checkers/races/cluster.h"
#include "emulator/checkers/races/learning.h"
#include "emulator/checkers/races/sync.h"
#include "emulator/checkers/races/written_values.h"
#include "emulator/machine/address.h"
#include "emulator/machine/for_lanes.h"

namespace warpsim {

namespace {

std::shared_ptr<LaunchRaces> start_races(const LaunchState& launch) {
  const auto blocks = static_cast<std::uint32_t>(launch.cluster.count());
  std::uint64_t bytes = 0;
  for (const Extent& extent : launch.extents) bytes += extent.end - extent.base;
  auto races = std::make_shared<LaunchRaces>(blocks, kept_bytes_for(bytes));
  races->aliases = launch.memory->virtual_memory().aliases(launch.device);
  races->blocks_may_wait = blocks_may_learn(launch);
  for (const SharedArray& array : launch.shared_arrays) {
    if (array.name != kReservedSharedName) continue;
    races->reserved_begin = array.offset;
    races->reserved_end = array.offset + array.bytes;
  }
  races->aside_begin = races->reserved_begin;
  races->aside_end = races->reserved_end;
  if (blocks > 1) {
    races->aside_begin = 0;
    races->aside_end = races->offset_mask = ~std::uint32_t{0};
  }
  return races;
}

/// An access of which lane after lane has to be looked at.
[[gnu::noinline]] void access_lanes(WarpContext& context, const MemoryAccess& access) {
  if (access.space == ptx::Space::shared) {
    const std::uint32_t mask = races_of(*context.block->launch).offset_mask;
    alignas(64) std::uint32_t offset[kWarpSize];
    access.spread(offset);
    for (std::uint32_t& place : offset) place &= mask;
    race_shared(context, access.in, offset, access.lanes, access.width, access.type, access.values);
    return;
  }
  alignas(64) std::uint64_t address[kWarpSize];
  if (access.addresses == nullptr) access.spread(address);
  race_global(context, access.in, access.addresses != nullptr ? access.addresses : address,
              access.lanes, access.width, access.type, access.values);
}

// Weak accesses of lanes that have a shape.

void load_shared(WarpContext& context, const Inst& in, const RaceSite& site, std::uint32_t first,
                 const LaneShape& shape) {
  const BlockContext& block = *context.block;
  const LaunchRaces& launch = races_of(*block.launch);
  if (first >= launch.aside_begin && first < launch.aside_end) {
    if (launch.cluster_blocks > 1) race_cluster_shared_load(context, in, first, shape, in.width);
    return;
  }
  BlockRaces& races = races_of(block);
  const WarpAccess seen{race_epoch(context, site, shape.mask, AccessType::load), shape.mask,
                        in.width};
  races.shared.load(races.order, races.conflicts, seen, first, shape);
}

/// The number of the allocation that has [begin, end); kKeptRegions where there is none, or where
/// others may share its lines.
std::uint32_t region_of(const LaunchState& launch, RaceMemo& memo, std::uint64_t begin,
                        std::uint64_t end) {
  if (begin >= memo.begin && end <= memo.end) return memo.region;
  const Extent* const extent = launch.find(begin);
  if (extent == nullptr || end > extent->end || extent->base % kRaceLineBytes != 0) {
    return kKeptRegions;
  }
  memo.begin = extent->base;
  memo.end = extent->end;
  memo.region = static_cast<std::uint32_t>(extent - launch.extents.data());
  return memo.region;
}

/// @param shared  other instructions may load alike, or this one on another host thread
/// @returns null where the launch has too many
const LoadPlaces* make_places(LaunchRaces& races, const LaneShape& shape, std::uint32_t width,
                              bool shared) {
  constexpr std::size_t kShared = 256, kLast = 4;
  const std::lock_guard lock(races.mutex);
  std::deque<LoadPlaces>& all = races.load_places;
  for (std::size_t i = 0; shared && i < std::min(all.size(), kShared); ++i) {
    if (all[i].is(shape, width)) return &all[i];
  }
  // Loads of two arrays at the same indices follow each other.
  for (std::size_t i = 1; i <= std::min(all.size(), kLast); ++i) {
    if (all[all.size() - i].is(shape, width)) return &all[all.size() - i];
  }
  if (all.size() >= races.most_places) return nullptr;
  return &all.emplace_back(shape, width);
}

/// How the lanes of an access lie, for what is kept.
const LoadPlaces* places_of(const LaunchState& launch, RaceMemo& memo, const LaneShape& shape,
                            std::uint32_t width, bool is_store) {
  // An instruction that has made more accesses to places of a table.
  constexpr std::uint32_t kRegular = 16;
  auto& known = memo.places;
  if (memo.places_version == shape.version && shape.version != 0) return known[0];
  auto found = std::ranges::find_if(
      known, [&](const LoadPlaces* one) { return one != nullptr && one->is(shape, width); });
  if (found == known.end()) {
    const bool shared = memo.places_made < kRegular;
    if (!shared && is_store) return nullptr;  // each has its own
    const LoadPlaces* const made = make_places(races_of(launch), shape, width, shared);
    if (made == nullptr) return nullptr;
    ++memo.places_made;
    found = known.end() - 1;
    *found = made;
  }
  std::rotate(known.begin(), found, found + 1);
  memo.places_version = shape.version;
  return known[0];
}

bool is_weak_store(const WarpAccess& seen) {
  return seen.epoch.traits() == kWriteAccess;
}

/// Keeps a load or a store, or sees to it that the lines have what came before it.
/// @returns whether it is kept
inline bool keep_or_open(WarpContext& context, RaceMemo& memo, const WarpAccess& seen,
                         bool is_load) {
  BlockLines& lines = races_of(*context.block).lines;
  const LaneShape& shape = *seen.shape;
  const std::uint64_t begin = seen.first + static_cast<std::uint64_t>(std::int64_t{shape.low});
  const std::uint64_t end =
      seen.first + static_cast<std::uint64_t>(std::int64_t{shape.high}) + seen.width;
  const std::uint32_t region = region_of(*seen.launch, memo, begin, end);
  if (region < kKeptRegions && lines.is_open(region)) return false;
  const BlockOrder& order = races_of(*context.block).order;
  if (is_load && region < kKeptRegions) {
    const LoadPlaces* const places = places_of(*seen.launch, memo, shape, seen.width, false);
    if (places != nullptr && lines.keep(order, seen.epoch, seen.first, *places, region)) {
      return true;
    }
  } else if (region < kKeptRegions && is_weak_store(seen)) {
    StorePlaces lanes{.is_row = shape.one_row, .shape = &shape};
    if (!shape.one_row) lanes.places = places_of(*seen.launch, memo, shape, seen.width, true);
    if (lines.keep_store(order, seen, lanes, region)) return true;
  }
  lines.open(region);
  return false;
}

/// The shape of lanes that access global memory anywhere. Where they are too far apart for one, its
/// mask is 0.
LaneShape shape_of(const std::uint64_t* address, std::uint32_t lanes, std::uint32_t width) {
  LaneShape shape;
  const auto first_lane = static_cast<std::size_t>(std::countr_zero(lanes));
  const std::uint64_t first = address[first_lane];
  bool fits = true;
  std::uint64_t off_row = 0;
  for_lanes(lanes, [&](std::size_t lane) {
    const auto distance = static_cast<std::int64_t>(address[lane] - first);
    const auto narrow = static_cast<std::int32_t>(distance);
    fits = fits && narrow == distance;
    shape.relative[lane] = static_cast<std::uint32_t>(narrow);
    shape.low = std::min(shape.low, narrow);
    shape.high = std::max(shape.high, narrow);
    off_row |= address[lane] ^ (first + width * (lane - first_lane));
  });
  shape.one_row = off_row == 0;
  shape.mask = fits ? lanes : 0;
  return shape;
}

/// The same of lanes anywhere, of an access of any kind.
bool keep_or_open(WarpContext& context, const Inst& in, const WarpAccess& seen,
                  const std::uint64_t* address) {
  RaceMemo& memo = race_memo_of(context, in);
  const bool is_load = seen.epoch.traits() == 0;
  if (is_load || is_weak_store(seen)) {
    const LaneShape shape = shape_of(address, seen.lanes, seen.width);
    WarpAccess weak = seen;
    weak.shape = &shape;
    weak.first = address[std::countr_zero(seen.lanes)];
    if (shape.mask != 0 && keep_or_open(context, memo, weak, is_load)) return true;
  }
  BlockLines& lines = races_of(*context.block).lines;
  for_lanes(seen.lanes, [&](std::size_t lane) {
    const std::uint32_t region =
        region_of(*seen.launch, memo, address[lane], address[lane] + seen.width);
    if (region >= kKeptRegions || !lines.is_open(region)) lines.open(region);
  });
  return false;
}

/// The address that stands for all of the same byte.
std::uint64_t lowest_alias(const std::vector<VirtualMemory::Alias>& aliases,
                           std::uint64_t address) {
  const auto next = std::ranges::upper_bound(aliases, address, {}, &VirtualMemory::Alias::begin);
  if (next == aliases.begin()) return address;
  const VirtualMemory::Alias& alias = *std::prev(next);
  return address < alias.end ? alias.lowest + (address - alias.begin) : address;
}

/// @param memo  of the instruction, which has its site
void access_global(WarpContext& context, const Inst& in, RaceMemo& memo, std::uint64_t first,
                   const LaneShape& shape, AccessType type, const StoredValues* values) {
  if (!races_of(*context.block->launch).aliases.empty()) {
    alignas(64) std::uint64_t address[kWarpSize] = {};
    for_lanes(shape.mask, [&](std::size_t lane) {
      address[lane] = first + static_cast<std::uint64_t>(
                                  std::int64_t{static_cast<std::int32_t>(shape.relative[lane])});
    });
    return race_global(context, in, address, shape.mask, in.width, type, values);
  }
  BlockRaces& races = races_of(*context.block);
  const WarpAccess seen{race_epoch(context, *memo.site, shape.mask, type),
                        shape.mask,
                        in.width,
                        values,
                        &shape,
                        first,
                        context.block->launch};
  if (races.lines.keeps() && keep_or_open(context, memo, seen, type == AccessType::load)) return;
  races.lines.access(races.order, races.conflicts, seen, memo.pieces);
}

}  // namespace

Follows RaceChecker::begin_launch(LaunchState& launch) {
  launch.slots.put(kRaceSlot, start_races(launch));
  if (races_of(launch).blocks_may_wait && launch.serial) {
    races_of(launch).waits = BlockWaits::watch(launch);
  }
  return Follows::accesses;
}

bool RaceChecker::needs_one_thread(const LaunchState& launch) const {
  return races_of(launch).blocks_may_wait;
}

void RaceChecker::end_launch(LaunchState& launch) {
  LaunchRaces& races = races_of(launch);
  races.among_blocks.decide([&](const LineRun& run, std::uint64_t line_address) {
    return has_in_memory(launch, run, line_address);
  });
  add_conflicts(races.among_blocks, races.conflicts);
  report_conflicts(launch);
  if (races.waits != nullptr) races.waits->report(launch);
}

void RaceChecker::access(WarpContext& context, const MemoryAccess& access) {
  access_lanes(context, access);
}

void RaceChecker::load(WarpContext& context, const Inst& in, ptx::Space space, std::uint64_t first,
                       const LaneShape& shape) {
  const RaceSite& site = race_site_of(context, in);
  if ((site.traits & kStrongAccess) != 0) {
    Observer::load(context, in, space, first, shape);
  } else if (space == ptx::Space::shared) {
    load_shared(context, in, site, static_cast<std::uint32_t>(first), shape);
  } else if (!site.constant) {
    access_global(context, in, race_memo_of(context, in), first, shape, AccessType::load, nullptr);
  }
}

void RaceChecker::store(WarpContext& context, const Inst& in, ptx::Space space, std::uint64_t first,
                        const LaneShape& shape, const StoredValues& values) {
  RaceMemo& memo = race_memo_of(context, in);
  const RaceSite& site = memo.site != nullptr ? *memo.site : new_race_site(context, in);
  if ((site.traits & kStrongAccess) != 0) {
    return Observer::store(context, in, space, first, shape, values);
  }
  if (space != ptx::Space::shared) {
    return access_global(context, in, memo, first, shape, AccessType::store, &values);
  }
  const BlockContext& block = *context.block;
  const LaunchRaces& launch = races_of(*block.launch);
  const auto offset = static_cast<std::uint32_t>(first);
  if (offset >= launch.aside_begin && offset < launch.aside_end) {
    return Observer::store(context, in, ptx::Space::shared, offset, shape, values);
  }
  BlockRaces& races = races_of(block);
  const WarpAccess seen{race_epoch(context, site, shape.mask, AccessType::store), shape.mask,
                        in.width, &values};
  races.shared.store(races.order, races.conflicts, seen, offset, shape, block.shared.data());
}

void RaceChecker::fence(WarpContext& context, const Inst& in) {
  race_fence(context, in);
}

void RaceChecker::make_tables(ProgramTables& tables, const Program& program) {
  tables.slots.put(kRaceSlot, std::make_shared<RaceMemo[]>(program.source.size()));
}

std::unique_ptr<Observer> make_race_checker() {
  return std::make_unique<RaceChecker>();
}

void race_shared(WarpContext& context, const Inst& in, const std::uint32_t* offset,
                 std::uint32_t lanes, std::uint32_t width, AccessType type,
                 const StoredValues* values) {
  if (lanes == 0) return;
  BlockContext& block = *context.block;
  BlockRaces& races = races_of(block);
  const LaunchRaces& launch = races_of(*block.launch);
  const std::uint32_t first = offset[std::countr_zero(lanes)];
  const bool aside = first >= launch.aside_begin && first < launch.aside_end;
  if (aside && launch.cluster_blocks > 1) {
    return race_cluster_shared(context, in, offset, lanes, width, type, values);
  }
  const RaceSite& site = race_site_of(context, in);
  if ((site.traits & kStrongAccess) != 0) race_begin_publishing(context, site, type);
  const WarpAccess access{race_epoch(context, site, lanes, type), lanes, width, values};
  if (aside) {
    // Nothing to compare.
  } else if (type == AccessType::load) {
    races.shared.load(races.order, races.conflicts, access, offset);
  } else {
    races.shared.store(races.order, races.conflicts, access, offset, block.shared.data());
  }
  if ((site.traits & kStrongAccess) != 0) {
    race_synchronise(context, site, races.shared_places, offset, lanes, type);
  }
}

void race_global(WarpContext& context, const Inst& in, const std::uint64_t* address,
                 std::uint32_t lanes, std::uint32_t width, AccessType type,
                 const StoredValues* values) {
  if (lanes == 0) return;
  const RaceSite& site = race_site_of(context, in);
  if (site.constant) return;
  LaunchRaces& launch = races_of(*context.block->launch);
  alignas(64) std::uint64_t places[kWarpSize];
  if (!launch.aliases.empty()) {
    std::fill(std::begin(places), std::end(places), 0);
    for_lanes(lanes, [&](std::size_t lane) {
      places[lane] = lowest_alias(launch.aliases, address[lane]);
    });
    address = places;
  }
  BlockRaces& races = races_of(*context.block);
  if ((site.traits & kStrongAccess) != 0) race_begin_publishing(context, site, type);
  const WarpAccess access{.epoch = race_epoch(context, site, lanes, type),
                          .lanes = lanes,
                          .width = width,
                          .values = values,
                          .launch = context.block->launch};
  if (races.lines.keeps() && keep_or_open(context, in, access, address)) return;
  races.lines.access(races.order, races.conflicts, access, address);
  if ((site.traits & kStrongAccess) != 0 && launch.blocks_may_wait) {
    race_synchronise(context, site, launch.places, address, lanes, type);
    if (launch.waits != nullptr) launch.waits->access(context, site, address, lanes, type);
  }
}

void race_generic(WarpContext& context, const Inst& in, const std::uint64_t* address,
                  std::uint32_t lanes, std::uint32_t width, AccessType type,
                  const StoredValues* values) {
  std::uint32_t shared = 0;
  std::uint32_t global = 0;
  const std::uint32_t mask = races_of(*context.block->launch).offset_mask;
  alignas(64) std::uint32_t offset[kWarpSize] = {};
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (in_window(address[lane], kSharedWindow)) {
      shared |= 1u << lane;
      offset[lane] = static_cast<std::uint32_t>(address[lane] - kSharedWindow) & mask;
    } else if (!in_window(address[lane], kLocalWindow) && !in_window(address[lane], kParamWindow)) {
      global |= 1u << lane;
    }
  }
  race_shared(context, in, offset, shared, width, type, values);
  race_global(context, in, address, global, width, type, values);
}

void RaceChecker::meet(WarpContext& context, std::uint32_t members) {
  races_of(*context.block).order.sync_lanes(context.warp.warp_index, members, context.live);
}

void RaceChecker::arrive(WarpContext& context, std::uint32_t id) {
  BlockRaces& races = races_of(*context.block);
  races.barriers[id].join(
      races.order.arrive(context.warp.warp_index, context.warp.active, context.live));
}

void RaceChecker::complete(BlockContext& block, std::uint32_t id, bool whole) {
  BlockRaces& races = races_of(block);
  if (whole) {
    if (races_of(*block.launch).blocks_may_wait && races.order.barrier_teaches())
      race_settle(block);
    races.order.barrier();
    races.shared.barrier();
    races.barriers[id] = VectorClock();
    return;
  }
  for (const auto& warp : block.warps) {
    const bool waits = std::ranges::any_of(warp->splits, [&](const WarpSplit& split) {
      return split.state == WarpSplit::State::at_barrier && split.barrier == id;
    });
    if (waits) race_learn(block, warp->warp.warp_index, races.barriers[id]);
  }
  races.barriers[id] = VectorClock();
}

void RaceChecker::start_block(BlockContext& block) {
  const LaunchState& launch = *block.launch;
  if (block.slots.get<BlockRaces>(kRaceSlot) == nullptr) {
    block.slots.put(kRaceSlot, std::make_shared<BlockRaces>());
    if (races_of(launch).cluster_blocks == 1) races_of(block).shared.reserve(launch.shared_bytes);
  }
  BlockRaces& races = races_of(block);
  if (races.order.start(block.linear, launch.warps_per_block)) races.shared.clear();
  races.shared.barrier();
  // Loads may be kept where no block can learn of another.
  const bool keeps = !races_of(launch).blocks_may_wait;
  const GridLines& grid = races_of(launch).grid;
  races.lines.start(keeps ? &races.order : nullptr, grid.open_regions(), grid.mixed());
  // Most blocks have had nothing of this.
  if (!races.shared_places.empty()) races.shared_places.clear();
  if (!races.mbarriers.empty()) races.mbarriers.clear();
  for (VectorClock& barrier : races.barriers) {
    if (!barrier.empty()) barrier = VectorClock();
  }
  races.waits = races.draws = false;
  if (races_of(launch).cluster_blocks > 1) {
    races.member.start();
    races.member.lines.start();
  }
}

void add_conflicts(ConflictLog& from, ConflictLog& to) {
  for (const std::uint32_t site : from.trusted()) to.trust(site);
  for (const ConflictLog::Entry& entry : from.take()) to.add(entry.conflict, entry.count);
}

void RaceChecker::finish_block(BlockContext& block) {
  BlockRaces& races = races_of(block);
  LaunchRaces& launch = races_of(*block.launch);
  if (launch.blocks_may_wait) {
    race_settle(block);
  } else {
    launch.grid.add_in_order(block.linear, races.lines, launch.among_blocks);
  }
  if (races.conflicts.empty()) return;
  const std::lock_guard lock(launch.mutex);
  add_conflicts(races.conflicts, launch.conflicts);
}

}  // namespace warpsim
