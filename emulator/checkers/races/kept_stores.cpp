#include "emulator/checkers/races/kept_stores.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "emulator/checkers/races/lines.h"
#include "emulator/checkers/races/written_values.h"
#include "emulator/machine/for_lanes.h"

namespace warpsim {

void ScatteredStore::spread(const std::vector<std::uint32_t>& all, std::uint64_t* address) const {
  if (places != nullptr) return places->spread(first, address);
  const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
  for (std::size_t i = 0; i < kWarpSize; ++i) {
    const std::uint64_t distance =
        has_relative
            ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(all[words + i])})
            : (std::uint64_t{i} - lane) * width;
    address[i] = first + distance;
  }
}

bool ScatteredStore::values_of(const std::vector<std::uint32_t>& all, StoredValues& values) const {
  if (count == 0) return false;
  values.count = count;
  values.register_bytes = register_bytes;
  values.element_bytes = element_bytes;
  const std::uint32_t* from = all.data() + words + (has_relative ? kWarpSize : 0);
  for (std::size_t i = 0; i < count; ++i) {
    values.registers[i] = reinterpret_cast<const std::byte*>(from);
    from += kWarpSize * register_bytes / sizeof *from;
  }
  return true;
}

RegionSet StoresOfBlocks::mark(const std::vector<OwnedLine>& lines, RegionSet regions) {
  RegionSet met = 0;
  for (const OwnedLine& line : lines) {
    const RegionSet bit = region_bit(line.region);
    if ((regions & bit) == 0) continue;
    Words& there = lines_.make(line.number / kPageLines)[line.number % kPageLines];
    const std::uint32_t both =
        (line.written & (there.read | there.written)) | (line.read & there.written);
    if (both != 0) met |= bit;
    there.read |= line.read;
    there.written |= line.written;
  }
  return met;
}

RegionSet StoresOfBlocks::mark(const KeptLoads& loads, RegionSet regions) {
  RegionSet met = 0;
  loads.for_each([&](const KeptLoad& load) {
    const RegionSet bit = region_bit(load.region);
    if ((regions & bit) == 0) return;
    std::uint64_t address[kWarpSize];
    load.places->spread(load.first, address);
    for_lanes(load.places->mask, [&](std::size_t lane) {
      const std::uint64_t last = (address[lane] + load.places->width - 1) / 4;
      for (std::uint64_t word = address[lane] / 4; word <= last; ++word) {
        constexpr std::uint64_t kLineWords = kRaceLineBytes / 4;
        const std::uint64_t line = word / kLineWords;
        Words& there = lines_.make(line / kPageLines)[line % kPageLines];
        const std::uint32_t one = std::uint32_t{1} << word % kLineWords;
        if ((there.written & one) != 0) met |= bit;
        there.read |= one;
      }
    });
  });
  return met;
}

void StoresOfBlocks::add(const KeptStores& block) {
  if (block.regions == 0) return;
  blocks_.push_back({block.block, block.regions, stores_.size(), scattered_.size(), words_.size()});
  stores_.insert(stores_.end(), block.list.begin(), block.list.end());
  scattered_.insert(scattered_.end(), block.scattered.begin(), block.scattered.end());
  words_.insert(words_.end(), block.words.begin(), block.words.end());
  regions_ |= block.regions;
}

bool StoresOfBlocks::next(std::size_t& at, std::uint64_t last, RegionSet regions,
                          KeptStores& stores) const {
  while (at < blocks_.size() && (blocks_[at].regions & regions) == 0) ++at;
  if (at == blocks_.size() || blocks_[at].number > last) return false;
  const Block& block = blocks_[at++];
  const bool is_last = at == blocks_.size();
  const auto part = [](const auto& all, std::size_t begin, std::size_t end, auto& to) {
    to.assign(all.begin() + static_cast<std::ptrdiff_t>(begin),
              all.begin() + static_cast<std::ptrdiff_t>(end));
  };
  part(stores_, block.stores, is_last ? stores_.size() : blocks_[at].stores, stores.list);
  part(scattered_, block.scattered, is_last ? scattered_.size() : blocks_[at].scattered,
       stores.scattered);
  part(words_, block.words, is_last ? words_.size() : blocks_[at].words, stores.words);
  stores.regions = block.regions;
  stores.block = block.number;
  return true;
}

void StoresOfBlocks::drop(RegionSet regions) {
  regions_ &= ~regions;
  if (regions_ != 0) return;
  // The words stay: a block that is about to be added may have marked some of another allocation.
  blocks_.clear();
  stores_.clear();
  scattered_.clear();
  words_.clear();
}

bool BlockLines::track(std::uint32_t region) {
  const RegionSet bit = region_bit(region);
  if ((tracked_ & bit) != 0) return true;
  bool good = true;
  if ((kept_regions_ & bit) != 0) {
    keeper_.loads().for_each([&](const KeptLoad& load) {
      if (!good || load.region != region) return;
      good = owners_.add_load({load.epoch.warp(), region, load.places->width, false}, load.first,
                              *load.places);
    });
  }
  tracked_ |= bit;
  return good;
}

bool BlockLines::keep_store(const BlockOrder& order, const WarpAccess& access,
                            const StorePlaces& lanes, std::uint32_t region) {
  constexpr std::size_t kMost = std::size_t{1} << 15;
  const std::uint32_t width = access.width;
  if (is_open(region) || stores_.list.size() >= kMost || !std::has_single_bit(width)) return false;
  const auto first = static_cast<std::uint32_t>(std::countr_zero(access.lanes));
  const std::uint32_t shifted = access.lanes >> first;
  const bool is_row = lanes.is_row && (shifted & (shifted + 1)) == 0;
  const std::uint64_t begin = access.first;
  const std::uint64_t end = begin + static_cast<std::uint64_t>(std::popcount(access.lanes)) * width;
  const bool has_words = (begin & (width - 1)) == 0 && (begin | end) % 4 == 0;
  if (is_row ? !has_words : width < 4) return false;
  if (!KeptStore::has_room(access.epoch, order.floor())) return false;
  if (!track(region)) return false;
  const WordOwners::Access stores{access.epoch.warp(), region, width, true};
  if (is_row) {
    if (!owners_.add_row(stores, first, begin, end)) return false;
    add_row(order, access, region);
  } else {
    std::uint64_t address[kWarpSize];
    for (std::size_t i = 0; i < kWarpSize; ++i) {
      const auto distance = static_cast<std::int32_t>(
          lanes.is_row
              ? static_cast<std::uint32_t>((i - first) * width)
              : (lanes.places != nullptr ? lanes.places->relative[i] : lanes.shape->relative[i]));
      address[i] = begin + static_cast<std::uint64_t>(std::int64_t{distance});
    }
    if (!owners_.add_lanes(stores, access.lanes, address)) return false;
    add_scattered(order, access, lanes, region);
  }
  stores_.regions |= region_bit(region);
  return true;
}

/// Keeps a store of lanes without a hole, each in its place of a row.
void BlockLines::add_row(const BlockOrder& order, const WarpAccess& access, std::uint32_t region) {
  const auto first = static_cast<std::uint32_t>(std::countr_zero(access.lanes));
  const auto last = static_cast<std::uint32_t>(31 - std::countl_zero(access.lanes));
  const std::uint32_t width = access.width;
  const std::uint64_t begin = access.first;
  const bool is_line = begin % kRaceLineBytes == 0 && width == 4 && last - first == 31;
  const std::uint64_t lane_0 = begin - std::uint64_t{first} * width;
  const int log2_width = std::countr_zero(width);
  std::uint32_t next = first;
  for (std::uint64_t line = begin / kRaceLineBytes; next <= last; ++line) {
    const std::uint64_t line_begin = line * kRaceLineBytes;
    LineRun run;
    run.first = static_cast<std::uint8_t>(next);
    next = is_line ? 32
                   : std::min(static_cast<std::uint32_t>((line_begin + kRaceLineBytes - lane_0) >>
                                                         log2_width),
                              last + 1);
    run.last = static_cast<std::uint8_t>(next - 1);
    run.width = static_cast<std::uint8_t>(width);
    if (access.values != nullptr) set_value(run, *access.values);
    stores_.list.push_back(
        {.epoch = access.epoch,
         .line = line,
         .order = order_,
         .since_floor = static_cast<std::uint16_t>(access.epoch.tick() - order.floor()),
         .origin = static_cast<std::int16_t>(static_cast<std::int64_t>(lane_0 - line_begin)),
         .value = run.value,
         .first = run.first,
         .last = run.last,
         .width = run.width,
         .uniform = run.uniform,
         .region = static_cast<std::uint8_t>(region % kKeptRegions)});
    store_order_ += kOrderStep;
  }
}

void BlockLines::add_scattered(const BlockOrder& order, const WarpAccess& access,
                               const StorePlaces& lanes, std::uint32_t region) {
  ScatteredStore store;
  store.first = access.first;
  store.lanes = access.lanes;
  store.width = access.width;
  store.words = stores_.words.size();
  const auto append = [&](const void* from, std::size_t bytes) {
    const std::size_t at = stores_.words.size();
    stores_.words.resize(at + bytes / sizeof(std::uint32_t));
    std::memcpy(stores_.words.data() + at, from, bytes);
  };
  if (!lanes.is_row) {
    store.places = lanes.places;
    store.has_relative = lanes.places == nullptr;
    if (store.has_relative) append(lanes.shape->relative, sizeof lanes.shape->relative);
  }
  if (const StoredValues* const values = access.values; values != nullptr) {
    store.count = static_cast<std::uint8_t>(values->count);
    store.register_bytes = static_cast<std::uint8_t>(values->register_bytes);
    store.element_bytes = static_cast<std::uint8_t>(values->element_bytes);
    for (std::uint32_t i = 0; i < values->count; ++i) {
      append(values->registers[i], std::size_t{kWarpSize} * values->register_bytes);
    }
  }
  stores_.list.push_back(
      {.epoch = access.epoch,
       .line = stores_.scattered.size(),
       .order = order_,
       .since_floor = static_cast<std::uint16_t>(access.epoch.tick() - order.floor()),
       .region = static_cast<std::uint8_t>(region % kKeptRegions)});
  stores_.scattered.push_back(store);
  store_order_ += kOrderStep;
}

KeptStores BlockLines::take_stores(KeptStores instead) {
  stores_.block = block_;
  stores_.tracked = tracked_;
  if (tracked_ != 0) owners_.lines(tracked_, stores_.lines);
  return std::exchange(stores_, std::move(instead));
}

void BlockLines::touch_store(const KeptStores& stores, const KeptStore& store) {
  ConflictLog none;  // nothing is found: no other thread accesses these words
  LineJudge judge;
  judge.block = stores.block;
  judge.floor_bits = store.floor_bits();
  judge.log = &none;
  order_ = store.order;
  is_mixed_ = true;
  if (!store.is_whole()) return touch(judge, store.run(stores.block), store.line);
  const ScatteredStore& scattered = stores.scattered[store.line];
  StoredValues values;
  WarpAccess access{store.epoch, scattered.lanes, scattered.width};
  if (scattered.values_of(stores.words, values)) access.values = &values;
  std::uint64_t address[kWarpSize];
  scattered.spread(stores.words, address);
  judge.access = &access;
  judge.address = address;
  touch_lanes(judge, address);
}

void BlockLines::touch_kept(const KeptLoads& loads, RegionSet of_loads, const KeptStores& stores,
                            RegionSet of_stores) {
  const std::uint32_t order = order_;
  const std::uint32_t store_order = std::exchange(store_order_, 1);
  std::size_t next = 0;
  const auto touch_stores = [&](std::uint32_t before) {
    for (; next < stores.list.size() && stores.list[next].order < before; ++next) {
      const KeptStore& store = stores.list[next];
      if ((of_stores & region_bit(store.region)) != 0) touch_store(stores, store);
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
