#include <algorithm>
#include <utility>

#include "emulator/checkers/races/races.h"

// Loads of native code, of which many are told at once.

namespace warpsim {
namespace {

/// What the checker keeps with a series.
struct KnownSeries {
  /// They are weak, and those of shared memory are in what the block's shadow is told of.
  bool plain = true;
  std::shared_ptr<SharedSeries> shared;  // null: none
  std::vector<std::size_t> global;  // its loads from global memory
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
      if (!site.constant) known->global.push_back(i);
      continue;
    }
    std::array<std::uint32_t, 32> shape;
    std::ranges::copy(load.shape->relative, shape.begin());
    shared->loads.push_back({.site_and_traits = Epoch::of(0, site.number, 0, site.traits).bits,
                             .width = load.in->width,
                             .start = index_of(shared->starts, load.start),
                             .offset = static_cast<std::uint32_t>(load.in->offset),
                             .shape = index_of(shared->shapes, shape)});
  }
  if (!shared->loads.empty()) known->shared = std::move(shared);
  return known;
}

}  // namespace

void RaceChecker::loads(WarpContext& context, LoadSeries& series, std::size_t count) {
  if (series.slots.get<KnownSeries>(kRaceSlot) == nullptr) {
    series.slots.put(kRaceSlot, know(context, series));
  }
  const KnownSeries& known = *series.slots.get<KnownSeries>(kRaceSlot);
  if (!known.plain || count != series.loads.size()) return Observer::loads(context, series, count);
  if (known.shared != nullptr) {
    BlockRaces& races = races_of(*context.block);
    const std::uint32_t warp = context.warp.warp_index;
    const Epoch now = Epoch::of(races.order.warp(warp).now, 0, warp, 0);
    if (!races.shared.load(known.shared, now, series.starts)) {
      return Observer::loads(context, series, count);
    }
  }
  for (const std::size_t i : known.global) {
    const LoadSeries::Load& one = series.loads[i];
    load(context, *one.in, one.space, series.first(one), *one.shape);
  }
}

}  // namespace warpsim
