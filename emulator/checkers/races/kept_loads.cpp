#include "emulator/checkers/races/kept_loads.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "emulator/checkers/races/lines.h"
#include "emulator/machine/for_lanes.h"

namespace warpsim {

bool LoadPlaces::is(const LaneShape& shape, std::uint32_t bytes) const {
  return mask == shape.mask && width == bytes && std::ranges::equal(relative, shape.relative);
}

LoadPlaces::LoadPlaces(const LaneShape& shape, std::uint32_t bytes)
    : mask(shape.mask), width(bytes) {
  std::ranges::copy(shape.relative, relative.begin());
  one_place = mask != 0;
  for_lanes(mask, [&](std::size_t lane) { one_place = one_place && relative[lane] == 0; });
  const auto first = static_cast<std::uint32_t>(std::countr_zero(mask));
  const auto count = static_cast<std::uint32_t>(std::countr_one(mask >> first % 32));
  if (static_cast<std::uint32_t>(std::popcount(mask)) != count || mask == 0) return;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (relative[first + i] != relative[first] + i * bytes) return;
  }
  row_begin = relative[first];
  row_end = row_begin + count * bytes;
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

/// Makes another block's loads of a block's.
/// @param later  ticks
/// @param distances  as in LoadsOfBlock
void move_loads(std::vector<KeptLoad>& loads, std::uint64_t later,
                std::span<const std::uint64_t> distances) {
  for (KeptLoad& load : loads) {
    load.epoch.bits += later << Epoch::kTickShift;
    load.floor += static_cast<std::uint32_t>(later);
    if (load.region < distances.size()) load.first += distances[load.region];
  }
}

}  // namespace

void LoadsOfBlock::restore(KeptLoads& loads) const {
  loads = *list;
  loads.regions = regions;
  loads.block = block;
  loads.start = start;
  move_loads(loads.loads, start - list->start, distances);
}

void LoadFollower::begin(std::uint32_t start) {
  start_ = start;
  next_ = end_ = loop_ = 0;
  known_ = 0;
  if (list_ == nullptr) return;
  loads_ = list_->loads.data();
  end_ = static_cast<std::uint32_t>(list_->loads.size());
  find_loop();
}

/// Stands in front of the first turn of the next loop, or the loads before it.
void LoadFollower::find_loop() {
  const bool is_one = loop_ < list_->loops.size();
  loop_end_ = is_one ? list_->loops[loop_].begin + list_->loops[loop_].length : kNoLoop;
  turn_ = orders_ = 0;
  later_ = start_ - list_->start;
  later_bits_ = std::uint64_t{later_} << Epoch::kTickShift;
}

void LoadFollower::next_turn() {
  const KeptLoop& loop = list_->loops[loop_];
  if (++turn_ == loop.turns) {
    ++loop_;
    return find_loop();
  }
  next_ = loop.begin;
  orders_ += kOrderStep * loop.length;
  later_ += loop.ticks;
  later_bits_ = std::uint64_t{later_} << Epoch::kTickShift;
}

KeptLoads LoadFollower::leave() {
  end_ = 0;
  KeptLoads own;
  own.start = start_;
  if (next_ == 0 && turn_ == 0) return own;
  const auto part = [](const auto& all, std::uint32_t count) {
    return std::vector(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  };
  own.loops = part(list_->loops, loop_);
  std::uint32_t end = own.loops.empty() ? 0 : own.loops.back().begin + own.loops.back().length;
  own.loads = part(list_->loads, turn_ == 0 ? next_ : loop_end_);
  move_loads(own.loads, start_ - list_->start, distances_);
  if (turn_ != 0) {
    KeptLoop loop = list_->loops[loop_];
    loop.turns = turn_;
    for (std::uint32_t i = loop.begin; i < next_; ++i) {
      own.loads.push_back(of_turn(own.loads[i], loop, turn_));  // of a turn that goes on
    }
    if (turn_ > 1) {
      own.loops.push_back(loop);
      end = loop_end_;
    }
  }
  for (; end < own.loads.size(); ++end) own.loads[end].step = 0;
  return own;
}

LoadsOfBlock LoadFollower::of_block(LoadDistances instead) const {
  LoadsOfBlock all;
  all.distances = std::move(instead);
  all.list = list_;
  all.start = start_;
  const auto count = static_cast<std::ptrdiff_t>(std::bit_width(known_));
  all.distances.assign(distances_.begin(), distances_.begin() + count);
  for (std::size_t i = 0; i < all.distances.size(); ++i) {
    if (((known_ >> i) & 1) == 0) all.distances[i] = 0;
  }
  return all;
}

void LoadKeeper::start(std::uint32_t start) {
  follower_.begin(start);
  kept_.clear();
  kept_.start = start;
  in_loop_ = false;
  free_from_ = alike_ = 0;
  repeated_ = {};
}

void LoadKeeper::stop_following() {
  if (!follower_.is_on()) return;
  kept_ = follower_.leave();
  free_from_ = kept_.loops.empty() ? 0 : kept_.loops.back().begin + kept_.loops.back().length;
}

LoadsOfBlock LoadKeeper::take(RegionSet regions, std::uint64_t block, LoadDistances instead) {
  LoadsOfBlock all;
  if (regions == 0) return all;
  if (follower_.is_on() && follower_.is_at_end()) {
    all = follower_.of_block(std::move(instead));
  } else {
    all.start = kept_.start;
    all.list = std::make_shared<const KeptLoads>(std::exchange(loads(), {}));
    follower_.set(all.list);
  }
  all.regions = regions;
  all.block = block;
  return all;
}

bool LoadKeeper::goes_on(const KeptLoad& load) const {
  const KeptLoop& loop = kept_.loops.back();
  const KeptLoad& first = kept_.loads[loop.begin + place_];
  const std::uint32_t ticks = loop.ticks * loop.turns;
  return load.first == first.first + first.step * loop.turns && load.floor == first.floor + ticks &&
         is_alike(first, load);
}

bool LoadKeeper::add_own(const KeptLoad& load) {
  stop_following();
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

bool BlockLines::keep_slowly(const BlockOrder& order, Epoch epoch, std::uint64_t first,
                             const LoadPlaces& places, std::uint32_t region) {
  const RegionSet bit = region_bit(region);
  if ((open_ & bit) != 0) return false;
  if ((tracked_ & bit) != 0) {
    const WordOwners::Access access{epoch.warp(), region, places.width, false};
    if (!owners_.add_load(access, first, places)) return false;
  }
  const std::uint32_t at = order_ + 1;
  if (at > kMostOrders || !keeper_.follows(epoch, first, places, order.floor(), region, at)) {
    KeptLoad load;
    load.epoch = epoch;
    load.first = first;
    load.places = &places;
    load.floor = order.floor();
    load.region = region % kKeptRegions;
    load.order = at & kMostOrders;
    if (at > kMostOrders || !keeper_.add_own(load)) [[unlikely]] {
      stop_keeping();
      return false;
    }
  }
  order_ += kOrderStep;
  kept_regions_ |= bit;
  return true;
}

void BlockLines::open(std::uint32_t region) {
  if (region >= kKeptRegions) return stop_keeping();
  const RegionSet bit = region_bit(region);
  touch_own(bit);
  kept_regions_ &= ~bit;
  stores_.regions &= ~bit;
  tracked_ &= ~bit;
  open_ |= bit;
}

void BlockLines::stop_keeping() {
  touch_own(~RegionSet{0});
  keeper_.start(start_);
  stores_.clear();
  kept_regions_ = tracked_ = 0;
  keeps_ = false;
}

LoadsOfBlock BlockLines::take_loads(LoadDistances instead) {
  return keeper_.take(kept_regions_, block_, std::move(instead));
}

void BlockLines::replay(const KeptLoads& loads, const KeptStores& stores, RegionSet regions) {
  start();
  block_ = loads.block;
  touch_kept(loads, regions & loads.regions, stores, regions & stores.regions);
}

/// Of loads and stores of these allocations that have been kept.
void BlockLines::touch_own(RegionSet regions) {
  const RegionSet of_loads = regions & kept_regions_;
  const RegionSet of_stores = regions & stores_.regions;
  if ((of_loads | of_stores) == 0) return;
  static const KeptLoads kNone;
  stores_.block = block_;
  touch_kept(of_loads != 0 ? keeper_.loads() : kNone, of_loads, stores_, of_stores);
}

void BlockLines::touch_load(const KeptLoad& load) {
  const LoadPlaces& places = *load.places;
  const WarpAccess access{load.epoch, places.mask, places.width};
  std::uint64_t address[32];
  places.spread(load.first, address);
  // Nothing is found: there are loads, or stores by the same threads to other words.
  LineJudge judge;
  judge.block = block_;
  judge.floor_bits = std::uint64_t{load.floor} << Epoch::kTickShift;
  judge.access = &access;
  order_ = load.order;
  touch_lanes(judge, address);
  is_mixed_ = true;
}

}  // namespace warpsim
