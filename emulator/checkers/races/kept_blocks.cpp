#include "emulator/checkers/races/kept_blocks.h"

#include <algorithm>
#include <array>
#include <bit>

namespace warpsim {
/// @param distances  filled in: from the list's loads to the block's
bool KeptBlocks::fits(const List& list, const LoadsOfBlock& block, LoadDistances& distances) {
  if (list.regions != block.regions) return false;
  distances = block.distances;
  if (list.loads == block.list) return true;  // it has followed that one
  const KeptLoads& from = *list.loads;
  const KeptLoads& to = *block.list;
  if (from.loads.size() != to.loads.size() || from.loops != to.loops) return false;
  const std::uint32_t later = to.start - from.start;
  std::array<std::uint64_t, kKeptRegions> further = {};
  RegionSet known = 0;
  for (std::size_t i = 0; i < from.loads.size(); ++i) {
    const KeptLoad& old = from.loads[i];
    const KeptLoad& now = to.loads[i];
    const std::uint64_t epoch = old.epoch.bits + (std::uint64_t{later} << Epoch::kTickShift);
    if (now.epoch.bits != epoch || now.floor != old.floor + later || now.places != old.places ||
        now.region != old.region || now.order != old.order || now.step != old.step) {
      return false;
    }
    const std::uint64_t distance = now.first - old.first;
    if ((known & region_bit(old.region)) == 0) {
      known |= region_bit(old.region);
      further[old.region] = distance;
    } else if (further[old.region] != distance) {
      return false;
    }
  }
  distances.resize(std::max(distances.size(), static_cast<std::size_t>(std::bit_width(known))));
  for (std::size_t i = 0; i < distances.size(); ++i) distances[i] += further[i];
  return true;
}

void KeptBlocks::add(const LoadsOfBlock& block) {
  LoadDistances& distances = to_block_;
  auto found = std::ranges::find_if(
      recent_, [&](std::uint32_t list) { return fits(lists_[list], block, distances); });
  if (found == recent_.end()) {
    if (recent_.size() == kCompared) recent_.pop_back();
    found = recent_.insert(recent_.end(), static_cast<std::uint32_t>(lists_.size()));
    lists_.push_back({block.list, block.regions});
    distances = block.distances;
    bytes_ += sizeof(KeptLoads) + block.list->loads.size() * sizeof(KeptLoad) +
              block.list->loops.size() * sizeof(KeptLoop);
  }
  blocks_.push_back({block.block, block.start, *found, distances_.size()});
  for_regions(block.regions, [&](std::uint32_t region) {
    distances_.push_back(region < distances.size() ? distances[region] : 0);
    bytes_ += sizeof distances_.front();
  });
  bytes_ += sizeof(Block);
  std::rotate(recent_.begin(), found, found + 1);
  regions_ |= block.regions;
}

LoadsOfBlock KeptBlocks::of_block(const Block& block) const {
  LoadsOfBlock all;
  all.list = lists_[block.list].loads;
  all.regions = lists_[block.list].regions;
  all.block = block.block;
  all.start = block.start;
  all.distances.resize(kKeptRegions);
  std::size_t next = block.distances;
  for_regions(all.regions,
              [&](std::uint32_t region) { all.distances[region] = distances_[next++]; });
  return all;
}

void KeptBlocks::drop(RegionSet regions) {
  regions_ &= ~regions;
  if (regions_ == 0) *this = KeptBlocks(most_bytes_);
}

}  // namespace warpsim
