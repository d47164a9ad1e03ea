#include "emulator/checkers/races/kept_loads.h"

#include <algorithm>
#include <utility>

#include "emulator/checkers/races/lines.h"

namespace warpsim {

bool LoadPlaces::is(const LaneShape& shape, std::uint32_t bytes) const {
  return mask == shape.mask && width == bytes && std::ranges::equal(relative, shape.relative);
}

KeptLoad of_turn(KeptLoad load, const KeptLoop& loop, std::uint32_t turn) {
  const std::uint32_t ticks = loop.ticks * turn;
  load.epoch.bits += std::uint64_t{ticks} << Epoch::kTickShift;
  load.floor += ticks;
  load.first += load.step * turn;
  load.order = (load.order + kOrderStep * loop.length * turn) & kMostOrders;
  return load;
}

namespace {

/// The same instruction and warp load with equal lanes from the same array, some moment later.
bool is_alike(const KeptLoad& before, const KeptLoad& now) {
  const std::uint64_t later = now.floor - before.floor;
  return now.epoch.bits == before.epoch.bits + (later << Epoch::kTickShift) &&
         now.places == before.places && now.region == before.region;
}

}  // namespace

void LoadKeeper::clear() {
  kept_.clear();
  in_loop_ = false;
  free_from_ = alike_ = 0;
  repeated_ = {};
}

bool LoadKeeper::goes_on(const KeptLoad& load) const {
  const KeptLoop& loop = kept_.loops.back();
  const KeptLoad& first = kept_.loads[loop.begin + place_];
  const std::uint32_t ticks = loop.ticks * loop.turns;
  return load.first == first.first + first.step * loop.turns && load.floor == first.floor + ticks &&
         is_alike(first, load);
}

bool LoadKeeper::add(const KeptLoad& load) {
  if (in_loop_) {
    if (goes_on(load)) {
      KeptLoop& loop = kept_.loops.back();
      if (++place_ == loop.length) {
        place_ = 0;
        ++loop.turns;
      }
      return true;
    }
    leave_loop();
  }
  if (kept_.loads.size() >= kMost) return false;
  kept_.loads.push_back(load);
  look_back();
  return true;
}

/// What of a turn has been made stands for itself.
void LoadKeeper::leave_loop() {
  if (!in_loop_) return;
  const KeptLoop& loop = kept_.loops.back();
  for (std::uint32_t i = 0; i < place_; ++i) {
    KeptLoad load = of_turn(kept_.loads[loop.begin + i], loop, loop.turns);
    load.step = 0;
    kept_.loads.push_back(load);
  }
  in_loop_ = false;
  free_from_ = loop.begin + loop.length;
  alike_ = 0;
  repeated_ = {};
}

/// Looks whether the last load ends the second turn of a loop.
void LoadKeeper::look_back() {
  std::vector<KeptLoad>& loads = kept_.loads;
  const auto at = static_cast<std::uint32_t>(loads.size() - 1);
  const KeptLoad& now = loads[at];
  const std::size_t known = (now.epoch.bits >> 10) % last_.size();
  const std::uint32_t last = std::exchange(last_[known], at);
  const auto repeats = [&](std::uint32_t length) {
    return is_alike(loads[at - length], now) &&
           now.floor - loads[at - length].floor == repeated_.ticks;
  };
  if (alike_ == 0 || !repeats(repeated_.length)) {
    alike_ = 0;
    if (last < free_from_ || last >= at || at - last > kLongestTurn) return;
    if (!is_alike(loads[last], now)) return;
    repeated_.length = at - last;
    repeated_.ticks = now.floor - loads[last].floor;
  }
  if (++alike_ < repeated_.length) return;
  repeated_.begin = at + 1 - 2 * repeated_.length;
  repeated_.turns = 2;
  for (std::uint32_t i = 0; i < repeated_.length; ++i) {
    KeptLoad& load = loads[repeated_.begin + i];
    load.step = loads[repeated_.begin + repeated_.length + i].first - load.first;
  }
  loads.resize(repeated_.begin + repeated_.length);
  kept_.loops.push_back(repeated_);
  in_loop_ = true;
  place_ = 0;
}

bool BlockLines::keep(const BlockOrder& order, Epoch epoch, std::uint64_t first,
                      const LoadPlaces& places, std::uint32_t region) {
  if (((open_ >> region) & 1) != 0) return false;
  KeptLoad load;
  load.epoch = epoch;
  load.first = first;
  load.places = &places;
  load.floor = order.floor();
  load.region = region % kKeptRegions;
  load.order = (order_ + 1) & kMostOrders;
  if (order_ + 1 > kMostOrders || !keeper_.add(load)) {
    stop_keeping();
    return false;
  }
  order_ += kOrderStep;
  kept_regions_ |= region_bit(region);
  return true;
}

void BlockLines::open(std::uint32_t region) {
  if (region >= kKeptRegions) return stop_keeping();
  const RegionSet bit = region_bit(region);
  if ((kept_regions_ & bit) != 0) {
    touch_kept(keeper_.loads(), bit);
    kept_regions_ &= ~bit;
  }
  open_ |= bit;
}

void BlockLines::stop_keeping() {
  touch_kept(keeper_.loads(), kept_regions_);
  keeper_.clear();
  kept_regions_ = 0;
  keeps_ = false;
}

KeptLoads BlockLines::take_loads(KeptLoads instead) {
  KeptLoads& loads = keeper_.loads();
  loads.regions = kept_regions_;
  loads.block = block_;
  loads.start = start_;
  return std::exchange(loads, std::move(instead));
}

void BlockLines::replay(const KeptLoads& from, RegionSet regions) {
  start();
  block_ = from.block;
  touch_kept(from, regions);
}

void BlockLines::touch_kept(const KeptLoads& loads, RegionSet regions) {
  const std::uint32_t order = order_;
  loads.for_each([&](const KeptLoad& load) {
    if (((regions >> load.region) & 1) == 0) return;
    const LoadPlaces& places = *load.places;
    const WarpAccess access{load.epoch, places.mask, places.width};
    std::uint64_t address[32];
    for (std::size_t i = 0; i < 32; ++i) {
      const auto distance = static_cast<std::int32_t>(places.relative[i]);
      address[i] = load.first + static_cast<std::uint64_t>(std::int64_t{distance});
    }
    // Loads among loads: nothing is found, and nobody's order is asked for.
    LineJudge judge;
    judge.block = block_;
    judge.floor_bits = std::uint64_t{load.floor} << Epoch::kTickShift;
    judge.access = &access;
    order_ = load.order;
    touch_lanes(judge, address);
    is_mixed_ = true;
  });
  order_ = order;
}

}  // namespace warpsim
