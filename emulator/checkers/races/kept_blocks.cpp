#include "emulator/checkers/races/kept_blocks.h"

#include <algorithm>
#include <bit>

namespace warpsim {
namespace {

template <class Use>
void for_regions(RegionSet regions, Use use) {
  for (; regions != 0; regions &= regions - 1) {
    use(static_cast<std::uint32_t>(std::countr_zero(regions)));
  }
}

}  // namespace

/// @param distances  filled in: from the list's loads to the block's
bool KeptBlocks::fits(const KeptLoads& list, const KeptLoads& block, Distances& distances) {
  if (list.loads.size() != block.loads.size() || list.regions != block.regions ||
      list.loops != block.loops) {
    return false;
  }
  const std::uint32_t later = block.start - list.start;
  RegionSet known = 0;
  for (std::size_t i = 0; i < list.loads.size(); ++i) {
    const KeptLoad& old = list.loads[i];
    const KeptLoad& now = block.loads[i];
    const std::uint64_t epoch = old.epoch.bits + (std::uint64_t{later} << Epoch::kTickShift);
    if (now.epoch.bits != epoch || now.floor != old.floor + later || now.places != old.places ||
        now.region != old.region || now.order != old.order || now.step != old.step) {
      return false;
    }
    const std::uint64_t distance = now.first - old.first;
    if ((known & region_bit(old.region)) == 0) {
      known |= region_bit(old.region);
      distances[old.region] = distance;
    } else if (distances[old.region] != distance) {
      return false;
    }
  }
  return true;
}

void KeptBlocks::add(const KeptLoads& block) {
  Distances distances = {};
  auto found = std::ranges::find_if(
      recent_, [&](std::uint32_t list) { return fits(lists_[list], block, distances); });
  if (found == recent_.end()) {
    if (recent_.size() == kCompared) recent_.pop_back();
    found = recent_.insert(recent_.end(), static_cast<std::uint32_t>(lists_.size()));
    lists_.push_back(block);
    distances = {};
    bytes_ += sizeof(KeptLoads) + block.loads.size() * sizeof(KeptLoad) +
              block.loops.size() * sizeof(KeptLoop);
  }
  blocks_.push_back({block.block, block.start, *found, distances_.size()});
  for_regions(block.regions, [&](std::uint32_t region) {
    distances_.push_back(distances[region]);
    bytes_ += sizeof distances[region];
  });
  bytes_ += sizeof(Block);
  std::rotate(recent_.begin(), found, found + 1);
  regions_ |= block.regions;
}

void KeptBlocks::restore(const Block& block, KeptLoads& loads) const {
  loads = lists_[block.list];
  const std::uint32_t later = block.start - loads.start;
  loads.block = block.block;
  loads.start = block.start;
  Distances distances = {};
  std::size_t next = block.distances;
  for_regions(loads.regions, [&](std::uint32_t region) { distances[region] = distances_[next++]; });
  for (KeptLoad& load : loads.loads) {
    load.epoch.bits += std::uint64_t{later} << Epoch::kTickShift;
    load.floor += later;
    load.first += distances[load.region];
  }
}

void KeptBlocks::drop(RegionSet regions) {
  regions_ &= ~regions;
  if (regions_ == 0) *this = KeptBlocks(most_bytes_);
}

}  // namespace warpsim
