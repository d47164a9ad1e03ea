#include "emulator/checkers/races/kept_loads.h"

#include <algorithm>

#include "emulator/checkers/races/lines.h"

namespace warpsim {

bool LoadPlaces::is(const LaneShape& shape, std::uint32_t bytes) const {
  return mask == shape.mask && width == bytes && std::ranges::equal(relative, shape.relative);
}

bool BlockLines::keep(const BlockOrder& order, Epoch epoch, std::uint64_t first,
                      const LoadPlaces& places, std::uint32_t region) {
  if (((open_ >> region) & 1) != 0) return false;
  if (kept_.size() == kMostKept || order_ + 1 > kMostOrders) {
    stop_keeping();
    return false;
  }
  KeptLoad& load = kept_.emplace_back();
  load.epoch = epoch;
  load.first = first;
  load.places = &places;
  load.floor = order.floor();
  load.region = region % kKeptRegions;
  load.order = (order_ + 1) & kMostOrders;
  order_ += 2;
  kept_regions_ |= region_bit(region);
  block_ = order.block();
  return true;
}

void BlockLines::open(std::uint32_t region) {
  if (region >= kKeptRegions) return stop_keeping();
  const RegionSet bit = region_bit(region);
  if ((kept_regions_ & bit) != 0) {
    touch_kept(kept_, bit);
    std::erase_if(kept_, [&](const KeptLoad& load) { return load.region == region; });
    kept_regions_ &= ~bit;
  }
  open_ |= bit;
}

void BlockLines::stop_keeping() {
  touch_kept(kept_, kept_regions_);
  kept_.clear();
  kept_regions_ = 0;
  keeps_ = false;
}

void BlockLines::replay(const KeptLoads& from, RegionSet regions) {
  start();
  block_ = from.block;
  touch_kept(from.loads, regions);
}

void BlockLines::touch_kept(const std::vector<KeptLoad>& loads, RegionSet regions) {
  const std::uint32_t order = order_;
  for (const KeptLoad& load : loads) {
    if (((regions >> load.region) & 1) == 0) continue;
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
  }
  order_ = order;
}

}  // namespace warpsim
