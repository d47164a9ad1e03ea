#include <algorithm>
#include <utility>

#include "emulator/checkers/races/races.h"

// Loads of native code, of which many are told at once.

namespace warpsim {
namespace {

/// A load from global memory, and what is needed to keep it (kept_loads.h).
struct GlobalLoad {
  std::size_t number = 0;  // in the series
  std::uint64_t site_and_traits = 0;  // bits of an Epoch
  const LoadPlaces* places = nullptr;
  // Of the array from which it was kept last: where the first lane may be for all to be inside.
  std::uint64_t from = 0, count = 0;
  std::uint32_t region = 0;  // that array
};

/// What the checker keeps with a series.
struct KnownSeries {
  /// They are weak, and those of shared memory are in what the block's shadow is told of.
  bool plain = true;
  std::shared_ptr<SharedSeries> shared;  // null: none
  std::vector<GlobalLoad> global;
};

std::shared_ptr<KnownSeries> know(WarpContext& context, const LoadSeries& series) {
  auto known = std::make_shared<KnownSeries>();
  auto shared = std::make_shared<SharedSeries>();
  const LaunchRaces& launch = races_of(*context.block->launch);
  known->plain = launch.aside_begin == launch.aside_end;
  const auto index_of = [](auto& list, const auto& value) {
    const auto at = std::ranges::find(list, value);
    const auto index = static_cast<std::uint32_t>(at - list.begin());
    if (at == list.end()) list.push_back(value);
    return index;
  };
  for (std::size_t i = 0; i < series.loads.size(); ++i) {
    const LoadSeries::Load& load = series.loads[i];
    const RaceSite& site = race_site_of(context, *load.in);
    if ((site.traits & kStrongAccess) != 0) known->plain = false;
    if (load.space != ptx::Space::shared) {
      if (!site.constant) {
        known->global.push_back(
            {.number = i, .site_and_traits = Epoch::of(0, site.number, 0, site.traits).bits});
      }
      continue;
    }
    std::array<std::uint32_t, 32> shape;
    std::ranges::copy(load.shape->relative, shape.begin());
    shared->loads.push_back({.site_and_traits = Epoch::of(0, site.number, 0, site.traits).bits,
                             .width = load.in->width,
                             .start = index_of(shared->starts, load.start),
                             .offset = static_cast<std::uint32_t>(load.in->offset),
                             .shape = index_of(shared->shapes, shape),
                             .is_row = load.in->width == 4 && load.shape->one_row});
  }
  if (!shared->loads.empty()) known->shared = std::move(shared);
  return known;
}

/// Remembers what the checker has found out about a load that it was just told of.
void note_places(const RaceMemo& memo, const LaneShape& shape, std::uint32_t width,
                 GlobalLoad& load) {
  const auto extent = static_cast<std::uint64_t>(std::int64_t{shape.high} - shape.low) + width;
  load.count = 0;
  if (memo.places_version != shape.version || memo.end - memo.begin < extent) return;
  load.places = memo.places[0];
  load.from = memo.begin - static_cast<std::uint64_t>(std::int64_t{shape.low});
  load.count = memo.end - memo.begin - extent + 1;
  load.region = memo.region;
}

}  // namespace

void RaceChecker::loads(WarpContext& context, LoadSeries& series, std::size_t count) {
  if (series.slots.get<KnownSeries>(kRaceSlot) == nullptr) {
    series.slots.put(kRaceSlot, know(context, series));
  }
  KnownSeries& known = *series.slots.get<KnownSeries>(kRaceSlot);
  if (!known.plain || count != series.loads.size()) return Observer::loads(context, series, count);
  BlockRaces& races = races_of(*context.block);
  const std::uint32_t warp = context.warp.warp_index;
  const Epoch now = Epoch::of(races.order.warp(warp).now, 0, warp, 0);
  if (known.shared != nullptr) {
    // What is found is in the order of the loads.
    if (!known.global.empty() && races.shared.has_writes()) {
      return Observer::loads(context, series, count);
    }
    races.shared.load(races.order, races.conflicts, known.shared, now, series.starts);
  }
  for (GlobalLoad& one : known.global) {
    const LoadSeries::Load& what = series.loads[one.number];
    const std::uint64_t first = series.first(what);
    const bool kept = races.lines.keeps() && first - one.from < one.count &&
                      races.lines.keep(races.order, {now.bits | one.site_and_traits}, first,
                                       *one.places, one.region);
    if (kept) continue;
    load(context, *what.in, what.space, first, *what.shape);
    note_places(race_memo_of(context, *what.in), *what.shape, what.in->width, one);
  }
}

}  // namespace warpsim
