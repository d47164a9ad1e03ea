#include "emulator/checkers/races/kept_stores.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "emulator/checkers/races/lines.h"
#include "emulator/checkers/races/written_values.h"

namespace warpsim {
namespace {

std::size_t slot_of(std::uint64_t line, std::size_t slots) {
  return static_cast<std::size_t>(line * 0x9e3779b97f4a7c15u >> 32) & (slots - 1);
}

}  // namespace

bool LineSet::insert(std::uint64_t line) {
  std::size_t at = slot_of(line, slots_.size());
  while (slots_[at] != 0 && slots_[at] != line) at = (at + 1) & (slots_.size() - 1);
  if (slots_[at] == line) return false;
  slots_[at] = line;
  ++count_;
  return true;
}

bool LineSet::look_up(std::uint64_t line, const std::vector<KeptStore>& stores) {
  if (2 * (count_ + 1) > slots_.size()) {
    slots_.assign(std::bit_ceil(std::max<std::size_t>(4 * (stores.size() + 1), 64)), 0);
    count_ = 0;
    for (const KeptStore& store : stores) (void)insert(store.line);
  }
  return insert(line);
}

RegionSet StoresOfBlocks::mark(const KeptStores& block) {
  RegionSet met = 0;
  for (const KeptStore& store : block.list) {
    const RegionSet bit = region_bit(store.region);
    if ((block.regions & bit) == 0) continue;
    auto line = lines_.make(store.line / kPageLines)[store.line % kPageLines];
    if (line) met |= bit;
    line = true;
  }
  return met;
}

void StoresOfBlocks::add(const KeptStores& block) {
  if (block.regions == 0) return;
  const std::size_t begin = stores_.size();
  stores_.insert(stores_.end(), block.list.begin(), block.list.end());
  blocks_.push_back({block.block, block.regions, begin, stores_.size()});
  regions_ |= block.regions;
}

void StoresOfBlocks::drop(RegionSet regions) {
  regions_ &= ~regions;
  if (regions_ == 0) *this = {};
}

bool BlockLines::keep_store(const WarpAccess& access, std::uint32_t region) {
  constexpr std::size_t kMost = std::size_t{1} << 15;
  const RegionSet bit = region_bit(region);
  if (((open_ | kept_regions_) & bit) != 0 || stores_.list.size() >= kMost) return false;
  const auto first = static_cast<std::uint32_t>(std::countr_zero(access.lanes));
  const auto last = static_cast<std::uint32_t>(31 - std::countl_zero(access.lanes));
  const auto place = static_cast<std::uint32_t>(access.first % kRaceLineBytes);
  const std::uint32_t lanes = last - first + 1;
  const std::uint32_t shifted = access.lanes >> first;
  if ((shifted & (shifted + 1)) != 0 || place + 4 * lanes > kRaceLineBytes) return false;
  const std::uint64_t line = access.first / kRaceLineBytes;
  if (!stored_.add(line, stores_.list)) return false;
  KeptStore& store = stores_.list.emplace_back();
  store.line = line;
  store.epoch = access.epoch;
  store.order = order_;
  store.origin = static_cast<std::int16_t>(static_cast<int>(place) - static_cast<int>(4 * first));
  store.first = static_cast<std::uint8_t>(first);
  store.last = static_cast<std::uint8_t>(last);
  store.region = static_cast<std::uint8_t>(region);
  if (access.values != nullptr) {
    LineRun run = store.run(block_);
    set_value(run, *access.values);
    store.value = run.value;
    store.uniform = run.uniform;
  }
  store_order_ += kOrderStep;
  stores_.regions |= bit;
  return true;
}

KeptStores BlockLines::take_stores(KeptStores instead) {
  stores_.block = block_;
  return std::exchange(stores_, std::move(instead));
}

void BlockLines::touch_stores(const KeptStores& stores, RegionSet regions) {
  if (regions == 0) return;
  const std::uint32_t order = order_;
  const std::uint32_t store_order = std::exchange(store_order_, 1);
  for (const KeptStore& store : stores.list) {
    if ((regions & region_bit(store.region)) != 0) {
      order_ = store.order;
      // Nothing else is there.
      Line& line = find(store.line);
      line.runs[0] = store.run(stores.block);
      line.count = 1;
      line.dirty = true;
      dirty_.push_back(last_index_);
      is_mixed_ = true;
    }
    store_order_ += kOrderStep;
  }
  order_ = order;
  store_order_ = store_order;
}

}  // namespace warpsim
