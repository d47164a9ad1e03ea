#include "emulator/checkers/races/races.h"

#include <algorithm>
#include <bit>

#include "emulator/checkers/races/cluster.h"
#include "emulator/checkers/races/sync.h"
#include "emulator/machine/address.h"

namespace warpsim {

namespace {

std::shared_ptr<LaunchRaces> start_races(const LaunchState& launch) {
  const auto blocks = static_cast<std::uint32_t>(launch.cluster.count());
  auto races = std::make_shared<LaunchRaces>(blocks);
  // Blocks of a cluster can wait for each other whatever the program is.
  races->blocks_may_wait = launch.serial || blocks > 1;
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
    const std::uint32_t mask = context.block->launch->races->offset_mask;
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

class RaceChecker final : public Checker, public AccessObserver {
 public:
  AccessObserver* begin(LaunchState& launch) override {
    launch.races = start_races(launch);
    if (launch.serial) launch.races->waits = BlockWaits::watch(launch);
    return this;
  }
  /// Blocks are compared as they go on where one can learn of another.
  [[nodiscard]] bool needs_one_thread(const LaunchState& launch) const override {
    return launch.races->blocks_may_wait;
  }
  void end(LaunchState& launch) override {
    LaunchRaces& races = *launch.races;
    add_conflicts(races.among_blocks, races.conflicts);
    report_conflicts(launch);
    if (races.waits != nullptr) races.waits->report(launch);
  }

  void access(WarpContext& context, const MemoryAccess& access) override {
    access_lanes(context, access);
  }
  void load(WarpContext& context, const Inst& in, ptx::Space space, std::uint64_t first,
            const LaneShape& shape) override {
    const RaceSite& site = race_site_of(context, in);
    if ((site.traits & kStrongAccess) != 0) {
      AccessObserver::load(context, in, space, first, shape);
    } else if (space == ptx::Space::shared) {
      load_shared(context, in, site, static_cast<std::uint32_t>(first), shape);
    } else if (!site.constant) {
      access_global(context, in, site, first, shape, AccessType::load, nullptr);
    }
  }
  void store(WarpContext& context, const Inst& in, ptx::Space space, std::uint64_t first,
             const LaneShape& shape, const StoredValues& values) override {
    const RaceSite& site = race_site_of(context, in);
    if ((site.traits & kStrongAccess) != 0) {
      AccessObserver::store(context, in, space, first, shape, values);
    } else if (space == ptx::Space::shared) {
      store_shared(context, in, site, static_cast<std::uint32_t>(first), shape, values);
    } else {
      access_global(context, in, site, first, shape, AccessType::store, &values);
    }
  }
  void fence(WarpContext& context, const Inst& in) override { race_fence(context, in); }

 private:
  // Weak accesses of lanes that have a shape.
  static void load_shared(WarpContext& context, const Inst& in, const RaceSite& site,
                          std::uint32_t first, const LaneShape& shape) {
    const BlockContext& block = *context.block;
    const LaunchRaces& launch = *block.launch->races;
    if (first >= launch.aside_begin && first < launch.aside_end) {
      if (launch.cluster_blocks > 1) race_cluster_shared_load(context, in, first, shape, in.width);
      return;
    }
    BlockRaces& races = *block.races;
    const WarpAccess seen{race_epoch(context, site, shape.mask, AccessType::load), shape.mask,
                          in.width};
    races.shared.load(races.order, races.conflicts, seen, first, shape);
  }
  void store_shared(WarpContext& context, const Inst& in, const RaceSite& site, std::uint32_t first,
                    const LaneShape& shape, const StoredValues& values) {
    const BlockContext& block = *context.block;
    const LaunchRaces& launch = *block.launch->races;
    if (first >= launch.aside_begin && first < launch.aside_end) {
      return AccessObserver::store(context, in, ptx::Space::shared, first, shape, values);
    }
    BlockRaces& races = *block.races;
    const WarpAccess seen{race_epoch(context, site, shape.mask, AccessType::store), shape.mask,
                          in.width, &values};
    races.shared.store(races.order, races.conflicts, seen, first, shape, block.shared.data());
  }
  static void access_global(WarpContext& context, const Inst& in, const RaceSite& site,
                            std::uint64_t first, const LaneShape& shape, AccessType type,
                            const StoredValues* values) {
    BlockRaces& races = *context.block->races;
    const WarpAccess seen{race_epoch(context, site, shape.mask, type),
                          shape.mask,
                          in.width,
                          values,
                          &shape,
                          first,
                          context.block->launch};
    races.lines.access(races.order, races.conflicts, seen,
                       context.tables->race_memos[in.index].pieces);
  }
};

}  // namespace

std::unique_ptr<Checker> make_race_checker() {
  return std::make_unique<RaceChecker>();
}

void race_shared(WarpContext& context, const Inst& in, const std::uint32_t* offset,
                 std::uint32_t lanes, std::uint32_t width, AccessType type,
                 const StoredValues* values) {
  if (lanes == 0) return;
  BlockContext& block = *context.block;
  BlockRaces& races = *block.races;
  const LaunchRaces& launch = *block.launch->races;
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
  BlockRaces& races = *context.block->races;
  if ((site.traits & kStrongAccess) != 0) race_begin_publishing(context, site, type);
  const WarpAccess access{.epoch = race_epoch(context, site, lanes, type),
                          .lanes = lanes,
                          .width = width,
                          .values = values,
                          .launch = context.block->launch};
  races.lines.access(races.order, races.conflicts, access, address);
  LaunchRaces& launch = *context.block->launch->races;
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
  const std::uint32_t mask = context.block->launch->races->offset_mask;
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
    if (block.launch->races->blocks_may_wait && races.order.barrier_teaches()) race_settle(block);
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

void race_start_block(BlockContext& block) {
  const LaunchState& launch = *block.launch;
  if (launch.races == nullptr) return;
  if (block.races == nullptr) {
    block.races = std::make_shared<BlockRaces>();
    if (launch.races->cluster_blocks == 1) block.races->shared.reserve(launch.shared_bytes);
  }
  BlockRaces& races = *block.races;
  if (races.order.start(block.linear, launch.warps_per_block)) races.shared.clear();
  races.shared.barrier();
  races.lines.start();
  races.shared_places.clear();
  races.mbarriers.clear();
  for (VectorClock& barrier : races.barriers) barrier = VectorClock();
  races.waits = races.draws = false;
  if (launch.races->cluster_blocks > 1) {
    races.member.start();
    races.member.lines.start();
  }
}

void add_conflicts(ConflictLog& from, ConflictLog& to) {
  for (const std::uint32_t site : from.trusted()) to.trust(site);
  for (const ConflictLog::Entry& entry : from.take()) to.add(entry.conflict, entry.count);
}

void race_finish_block(BlockContext& block) {
  if (block.races == nullptr) return;
  BlockRaces& races = *block.races;
  LaunchRaces& launch = *block.launch->races;
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
