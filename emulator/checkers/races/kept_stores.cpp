#include "emulator/checkers/races/kept_stores.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "emulator/checkers/races/lines.h"
#include "emulator/checkers/races/written_values.h"

namespace warpsim {
namespace {

std::size_t slot_of(std::uint64_t line, std::size_t slots) {
  return static_cast<std::size_t>(line * 0x9e3779b97f4a7c15u >> 32) & (slots - 1);
}

}  // namespace

bool WordSet::insert(std::uint64_t line, std::uint32_t words) {
  if (2 * (count_ + 1) > slots_.size()) {
    std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    count_ = 0;
    for (const Slot& slot : old) {
      if (slot.words != 0) (void)insert(slot.line, slot.words);
    }
  }
  std::size_t at = slot_of(line, slots_.size());
  while (slots_[at].words != 0 && slots_[at].line != line) at = (at + 1) & (slots_.size() - 1);
  Slot& slot = slots_[at];
  if (slot.words == 0) ++count_;
  const bool is_new = (slot.words & words) == 0;
  slot.line = line;
  slot.words |= words;
  return is_new;
}

bool WordSet::insert(const Range& range) {
  bool all = true;
  for (std::uint64_t from = range.begin; from < range.end;) {
    const std::uint64_t line = from / kRaceLineBytes;
    const std::uint64_t to = std::min(range.end, (line + 1) * kRaceLineBytes);
    const auto words = static_cast<std::uint32_t>((to - from) / 4);
    all = insert(line, ~std::uint32_t{0} >> (32 - words) << from % kRaceLineBytes / 4) && all;
    from = to;
  }
  return all;
}

bool WordSet::look_up(std::uint64_t begin, std::uint64_t end) {
  if (slots_.empty()) {
    slots_.resize(std::bit_ceil(4 * (ranges_.size() + 16)));
    for (const Range& range : ranges_) (void)insert(range);
    ranges_.clear();
  }
  return insert(Range{begin, end});
}

RegionSet StoresOfBlocks::mark(const KeptStores& block) {
  RegionSet met = 0;
  for (const KeptStore& store : block.list) {
    const RegionSet bit = region_bit(store.region);
    if ((block.regions & bit) == 0) continue;
    std::uint32_t& there = lines_.make(store.line / kPageLines)[store.line % kPageLines];
    const std::uint32_t words = store.words();
    if ((there & words) != 0) met |= bit;
    there |= words;
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

bool BlockLines::await_store(Epoch epoch, std::uint64_t first, const LoadPlaces& places,
                             std::uint32_t region) {
  constexpr std::size_t kMost = 256;
  const RegionSet bit = region_bit(region);
  if ((pairs_ & bit) != 0) {
    const std::uint64_t begin = first + std::uint64_t{places.row_begin};
    const std::uint64_t end = first + std::uint64_t{places.row_end};
    const bool is_row = begin != end && begin % places.width == 0 && (begin | end) % 4 == 0;
    if (is_row && awaited_.size() < kMost && loaded_.add(begin, end)) {
      awaited_.push_back({begin, end, places.mask, epoch.warp(), region});
      return true;
    }
    pairs_ &= ~bit;
  }
  return (stores_.regions & bit) == 0;
}

/// Whether a store is of what the same lanes have loaded.
bool BlockLines::take_awaited(const AwaitedStore& store) {
  if ((pairs_ & region_bit(store.region)) == 0) return false;
  const auto found = std::find(awaited_.rbegin(), awaited_.rend(), store);
  if (found == awaited_.rend()) return false;
  awaited_.erase(std::next(found).base());
  return true;
}

void BlockLines::open_awaited() {
  for (const AwaitedStore& store : std::exchange(awaited_, {})) {
    if ((kept_regions_ & stores_.regions & region_bit(store.region)) != 0) open(store.region);
  }
}

bool BlockLines::keep_store(const WarpAccess& access, std::uint32_t region) {
  constexpr std::size_t kMost = std::size_t{1} << 15;
  const RegionSet bit = region_bit(region);
  if ((open_ & bit) != 0 || stores_.list.size() >= kMost) return false;
  const auto first = static_cast<std::uint32_t>(std::countr_zero(access.lanes));
  const auto last = static_cast<std::uint32_t>(31 - std::countl_zero(access.lanes));
  const std::uint32_t shifted = access.lanes >> first;
  const std::uint32_t width = access.width;
  const std::uint64_t begin = access.first;
  const std::uint64_t end = begin + std::uint64_t{last - first + 1} * width;
  if ((shifted & (shifted + 1)) != 0 || (width & (width - 1)) != 0 || (begin & (width - 1)) != 0 ||
      (begin | end) % 4 != 0) {
    return false;
  }
  if ((kept_regions_ & bit) != 0) {
    if (!take_awaited({begin, end, access.lanes, access.epoch.warp(), region})) return false;
  } else {
    if (!stored_.add(begin, end)) return false;
    pairs_ &= ~bit;
  }
  stores_.regions |= bit;
  if (end - begin == kRaceLineBytes && begin % kRaceLineBytes == 0 && width == 4) {  // as most are
    LineRun run;
    run.last = 31;
    run.width = 4;
    if (access.values != nullptr) set_value(run, *access.values);
    stores_.list.push_back({.epoch = access.epoch,
                            .line = begin / kRaceLineBytes,
                            .order = order_,
                            .value = run.value,
                            .last = 31,
                            .width = 4,
                            .uniform = run.uniform,
                            .region = static_cast<std::uint8_t>(region)});
    store_order_ += kOrderStep;
    return true;
  }
  const std::uint64_t lane_0 = begin - std::uint64_t{first} * width;
  const int log2_width = std::countr_zero(width);
  std::uint32_t next = first;
  for (std::uint64_t line = begin / kRaceLineBytes; next <= last; ++line) {
    const std::uint64_t line_begin = line * kRaceLineBytes;
    LineRun run;
    run.first = static_cast<std::uint8_t>(next);
    next = std::min(
        static_cast<std::uint32_t>((line_begin + kRaceLineBytes - lane_0) >> log2_width), last + 1);
    run.last = static_cast<std::uint8_t>(next - 1);
    run.width = static_cast<std::uint8_t>(width);
    if (access.values != nullptr) set_value(run, *access.values);
    stores_.list.push_back(
        {.epoch = access.epoch,
         .line = line,
         .order = order_,
         .value = run.value,
         .origin = static_cast<std::int16_t>(static_cast<std::int64_t>(lane_0 - line_begin)),
         .first = run.first,
         .last = run.last,
         .width = run.width,
         .uniform = run.uniform,
         .region = static_cast<std::uint8_t>(region)});
    store_order_ += kOrderStep;
  }
  return true;
}

KeptStores BlockLines::take_stores(KeptStores instead) {
  stores_.block = block_;
  return std::exchange(stores_, std::move(instead));
}

void BlockLines::touch_kept(const KeptLoads& loads, RegionSet of_loads, const KeptStores& stores,
                            RegionSet of_stores) {
  const std::uint32_t order = order_;
  const std::uint32_t store_order = std::exchange(store_order_, 1);
  ConflictLog none;  // nothing is found: threads have stored to words that no other one accesses
  std::size_t next = 0;
  const auto touch_stores = [&](std::uint32_t before) {
    for (; next < stores.list.size() && stores.list[next].order < before; ++next) {
      const KeptStore& store = stores.list[next];
      if ((of_stores & region_bit(store.region)) != 0) {
        order_ = store.order;
        LineJudge judge;
        judge.block = stores.block;
        judge.log = &none;
        touch(judge, store.run(stores.block), store.line);
        is_mixed_ = true;
      }
      store_order_ += kOrderStep;
    }
  };
  if (of_loads != 0) {
    loads.for_each([&](const KeptLoad& load) {
      if ((of_loads & region_bit(load.region)) == 0) return;
      if ((of_loads & of_stores) != 0) touch_stores(load.order);
      touch_load(load);
    });
  }
  if (of_stores != 0) touch_stores(~std::uint32_t{0});
  order_ = order;
  store_order_ = store_order;
}

}  // namespace warpsim
