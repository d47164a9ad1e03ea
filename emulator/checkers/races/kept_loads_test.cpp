#include "emulator/checkers/races/kept_loads.h"

#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <deque>
#include <numeric>
#include <random>
#include <vector>

#include "emulator/checkers/races/grid.h"
#include "emulator/checkers/races/kept_blocks.h"
#include "emulator/checkers/races/lines.h"
#include "emulator/checkers/races/order.h"

using namespace warpsim;

namespace {

constexpr std::uint64_t kArray = 0x40000;  // bytes: no step reaches another one
constexpr std::uint32_t kUpdated = 4;  // the array to which threads store what they have read
constexpr std::uint32_t kOwned = 5;  // the array of which each thread has a structure
constexpr std::uint32_t kArrays = 6;
constexpr std::uint64_t kOwnedBytes = 96 * 160;  // of a block's structures

std::uint64_t address_of(std::uint32_t array) {
  return 0x10000 + array * kArray;
}

/// What a warp does: an access to one array, or a barrier of its block.
struct Step {
  std::uint32_t warp = 0;
  std::uint32_t array = 0;
  std::uint64_t first = 0;
  LaneShape shape;
  std::uint32_t width = 4;
  std::uint32_t site = 0;
  bool write = false;
  std::uint32_t value = 0;  // that all lanes write
  bool barrier = false;
};

/// An access to a row, mostly to a line by a whole warp; of two arrays, that are mostly written.
Step line_of(std::mt19937& random, Step step) {
  step.array = static_cast<std::uint32_t>(random() % kUpdated);
  step.write = step.array >= 2 ? random() % 30 != 0 : random() % 12 == 0;
  static constexpr std::uint32_t kWidths[] = {1, 2, 4, 4, 4, 4, 8, 16};
  step.width = kWidths[random() % std::size(kWidths)];
  step.shape.mask = ~0u;
  if (random() % 4 == 0) step.shape.mask = ~0u >> random() % 31 << random() % 8 | 0x80;
  step.shape.one_row = true;
  for (std::uint32_t i = 0; i < 32; ++i) step.shape.relative[i] = step.width * i;
  step.first = address_of(step.array) + kArray / 2 + 32 * step.width * (random() % 3);
  if (random() % 8 == 0) step.first += step.width * (random() % 8);
  return step;
}

Step some_step(std::mt19937& random) {
  static constexpr std::int32_t kStrides[] = {0, 1, 1, 1, -1, 2, 3, 31, 33};
  Step step;
  step.warp = static_cast<std::uint32_t>(random() % 3);
  step.array = static_cast<std::uint32_t>(random() % kUpdated);
  step.site = static_cast<std::uint32_t>(random() % 9);
  step.width = 1u << random() % 4;
  // Most arrays are only read.
  step.write = step.array == 0 ? random() % 2 == 0 : random() % 12 == 0;
  step.barrier = random() % 8 == 0;
  step.first = address_of(step.array) + kArray / 2 + random() % 40 * step.width;
  step.value = static_cast<std::uint32_t>(random() % 2);
  if (random() % 3 == 0) return line_of(random, step);
  step.shape.mask = random() % 4 == 0 ? static_cast<std::uint32_t>(random()) | 1 : ~0u;
  const std::int32_t stride = kStrides[random() % std::size(kStrides)];
  for (std::int32_t i = 0; i < 32; ++i) {
    const auto width = static_cast<std::int32_t>(step.width);
    step.shape.relative[i] = static_cast<std::uint32_t>(i * stride * width);
  }
  return step;
}

using Blocks = std::vector<std::vector<Step>>;

/// Some steps again and again, which mostly move on by the same distance.
void add_loop(std::mt19937& random, std::vector<Step>& steps) {
  std::vector<Step> turn(1 + random() % 4);
  std::vector<std::uint64_t> distance;
  const bool stores = random() % 2 == 0;  // those of a loop come between its loads
  for (Step& step : turn) {
    step = some_step(random);
    if (step.array != 0 && !stores) step.write = false;
    distance.push_back(stores && step.shape.one_row ? 32 * step.width : random() % 5 * step.width);
  }
  const std::size_t turns = 2 + random() % 6;
  for (std::size_t i = 0; i < turns; ++i) {
    for (std::size_t k = 0; k < turn.size(); ++k) {
      steps.push_back(turn[k]);
      turn[k].first += random() % 30 == 0 ? 0 : distance[k];
    }
  }
}

/// Loads of rows and stores to them by the same lanes, but for a few.
void add_updates(std::mt19937& random, std::vector<Step>& steps) {
  std::vector<Step> stores;
  const std::uint32_t start = random() % 3 == 0 ? 4 * (random() % 8) : 0;
  std::uint64_t next = address_of(kUpdated) + kArray / 4 + start;
  const bool loads_first = random() % 2 == 0;
  const auto one_in = [&](std::uint32_t n) { return random() % n == 0; };
  const std::size_t count = 1 + random() % 8;
  for (std::size_t i = 0; i < count; ++i) {
    Step load = line_of(random, some_step(random));
    load.array = kUpdated;
    load.barrier = load.write = false;
    load.width = one_in(6) ? 16 : 4;
    if (one_in(8)) load.width = 2;
    for (std::uint32_t k = 0; k < 32; ++k) load.shape.relative[k] = load.width * k;
    load.first = (next + load.width - 1) / load.width * load.width;
    next = load.first + 32 * std::uint64_t{load.width};
    Step store = load;
    store.site += 10;
    store.write = true;
    if (one_in(60)) store.warp = (store.warp + 1) % 3;
    if (one_in(60)) store.first += store.width;
    if (one_in(60)) store.shape.mask &= 0xffff;
    if (one_in(60)) next = load.first;
    steps.push_back(load);
    if (one_in(60)) steps.push_back(load);
    if (one_in(10)) steps.push_back(some_step(random));
    if (!one_in(60)) (loads_first ? stores : steps).push_back(store);
    if (one_in(60)) steps.push_back(load);
  }
  if (one_in(4) && !stores.empty()) std::swap(stores.front(), stores.back());
  steps.insert(steps.end(), stores.begin(), stores.end());
}

/// Loads and stores of members of structures, one for each thread, at any lanes; and loads by all
/// of what nobody stores to. But for a few.
void add_members(std::mt19937& random, std::vector<Step>& steps) {
  const auto one_in = [&](std::uint32_t n) { return random() % n == 0; };
  // As many structures as threads; or columns, further apart than a line.
  static constexpr std::uint32_t kBytes[] = {8, 16, 24, 48, 48, 160};
  const std::uint32_t bytes = kBytes[random() % std::size(kBytes)];
  const std::size_t count = 1 + random() % 30;
  for (std::size_t i = 0; i < count; ++i) {
    Step step = some_step(random);
    step.array = kOwned;
    step.site = 20 + static_cast<std::uint32_t>(random() % 6);
    step.barrier = one_in(12);
    step.write = random() % 2 == 0;
    step.width = one_in(3) ? 8 : 4;
    step.shape.mask = one_in(2) ? ~0u : static_cast<std::uint32_t>(random()) | 1u << random() % 32;
    step.shape.one_row = false;
    const auto member = static_cast<std::uint32_t>(random() % (bytes / step.width)) * step.width;
    std::uint32_t from = 32 * step.warp;
    if (one_in(100)) ++from;  // that of another thread
    for (std::uint32_t lane = 0; lane < 32; ++lane) step.shape.relative[lane] = bytes * lane;
    step.first = address_of(kOwned) + kArray / 4 + bytes * from + member;
    if (one_in(6)) {  // before the structures
      step.write = one_in(100);
      step.width = 1u << random() % 3;
      step.first = address_of(kOwned) + kArray / 4 - 1024 + random() % 200 * step.width;
      const std::uint32_t stride = random() % 4;
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        step.shape.relative[lane] = stride * step.width * lane;
      }
    }
    steps.push_back(step);
    if (one_in(8)) steps.push_back(some_step(random));
  }
}

/// The steps of another block, each array's at a distance.
std::vector<Step> moved(std::mt19937& random, std::vector<Step> steps) {
  std::uint64_t distance[kArrays];
  for (std::uint64_t& one : distance) one = random() % 2 == 0 ? random() % 40 * 8 : 1024;
  if (random() % 4 != 0) distance[kUpdated] = 4096;
  distance[kOwned] = random() % 4 == 0 ? 0 : kOwnedBytes;
  for (Step& step : steps) step.first += distance[step.array];
  return steps;
}

struct Found {
  std::vector<ConflictLog::Entry> inside, among;
  std::vector<std::vector<LineRun>> lines;
};

/// The same access as the machine has it: seen from the first lane that is active.
Step seen_from_first_lane(Step step) {
  const auto first = static_cast<std::uint32_t>(std::countr_zero(step.shape.mask));
  const std::uint32_t back = step.shape.relative[first];
  step.first += static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(back)});
  step.shape.one_row = true;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    step.shape.relative[lane] -= back;
    const bool is_active = ((step.shape.mask >> lane) & 1) != 0;
    if (is_active && step.shape.relative[lane] != step.width * (lane - first)) {
      step.shape.one_row = false;
    }
  }
  return step;
}

/// Runs blocks one after the other. @param keeps  whether loads are kept
Found run(const Blocks& blocks, bool keeps) {
  Found found;
  GridLines grid;
  ConflictLog among;
  std::deque<LoadPlaces> places;
  BlockOrder order;
  BlockLines lines;
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    ConflictLog inside;
    order.start(block, 3);
    // Every other block began before it was known what others write.
    const bool knows = keeps && block % 2 == 0;
    lines.start(keeps ? &order : nullptr, knows ? grid.open_regions() : 0,
                knows            ? grid.mixed()
                : block % 3 == 0 ? ~RegionSet{0}
                                 : 0);
    for (const Step& given : blocks[block]) {
      const Step step = seen_from_first_lane(given);
      if (step.barrier) {
        order.barrier();
        continue;
      }
      const std::uint32_t traits = step.write ? std::uint32_t{kWriteAccess} : 0;
      WarpAccess access;
      access.epoch = Epoch::of(order.warp(step.warp).now, step.site, step.warp, traits);
      access.lanes = step.shape.mask;
      access.width = step.width;
      access.first = step.first;
      access.shape = &step.shape;
      std::array<std::uint32_t, 32> written;
      written.fill(step.value);
      if (step.site % 2 == 1 && step.site >= 20) std::iota(written.begin(), written.end(), 1);
      StoredValues values;
      values.registers[0] = reinterpret_cast<const std::byte*>(written.data());
      for (std::size_t k = 1; k < 4; ++k) values.registers[k] = values.registers[0];
      values.count = step.width / 4;
      values.register_bytes = values.element_bytes = 4;
      if (step.write && step.width >= 4) access.values = &values;
      if (keeps) {
        auto lanes = std::ranges::find_if(
            places, [&](const LoadPlaces& known) { return known.is(step.shape, step.width); });
        if (lanes == places.end()) {
          places.emplace_back(step.shape, step.width);
          lanes = places.end() - 1;
        }
        if (!step.write && lines.keep(order, access.epoch, step.first, *lanes, step.array)) {
          continue;
        }
        StorePlaces store{.is_row = step.shape.one_row, .shape = &step.shape};
        if (step.site % 3 == 0) store.places = &*lanes;
        if (step.write && lines.keep_store(order, access, store, step.array)) continue;
        lines.open(step.array);
      }
      std::uint64_t address[32];
      for (std::size_t i = 0; i < 32; ++i) {
        address[i] = step.first + static_cast<std::uint64_t>(std::int64_t{
                                      static_cast<std::int32_t>(step.shape.relative[i])});
      }
      lines.access(order, inside, access, address);
    }
    grid.add_in_order(block, lines, among);
    for (const ConflictLog::Entry& entry : inside.take()) found.inside.push_back(entry);
  }
  found.among = among.take();
  grid.open(~RegionSet{0});
  for (std::uint64_t line = address_of(0) / kRaceLineBytes;
       line < address_of(kArrays) / kRaceLineBytes; ++line) {
    found.lines.push_back(grid.runs(line));
  }
  return found;
}

bool same(const ConflictLog::Entry& a, const ConflictLog::Entry& b) {
  const Conflict& x = a.conflict;
  const Conflict& y = b.conflict;
  return a.count == b.count && x.first == y.first && x.second == y.second &&
         x.first_block == y.first_block && x.second_block == y.second_block &&
         x.address == y.address && x.same_value == y.same_value;
}

bool same(const std::vector<ConflictLog::Entry>& a, const std::vector<ConflictLog::Entry>& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return same(x, y); });
}

bool same(const LineRun& a, const LineRun& b) {
  return a.epoch == b.epoch && a.block == b.block && a.same_shape(b) && a.was_read == b.was_read &&
         a.value == b.value && a.uniform == b.uniform;
}

}  // namespace

TEST_CASE("loads that are kept lead to the same races as loads that get lines at once",
          "[races][unit]") {
  std::mt19937 random(7);
  int races = 0;
  for (int i = 0; i < 400; ++i) {
    Blocks blocks(1 + random() % 8);
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      auto& steps = blocks[block];
      if (block != 0 && random() % 2 == 0) {
        steps = moved(random, blocks[random() % block]);
        // Some begin as another one and go on in another way.
        if (random() % 3 == 0) steps.resize(random() % (steps.size() + 1));
        while (random() % 3 == 0) steps.push_back(some_step(random));
        continue;
      }
      const std::size_t count = 1 + random() % (i % 4 == 0 ? 300 : 20);
      for (std::size_t k = 0; k < count; ++k) {
        if (random() % 20 == 0) add_loop(random, steps);
        if (k == count / 2 && i % 2 == 0) add_updates(random, steps);
        if (k == count / 3 && i % 3 != 0) add_members(random, steps);
        steps.push_back(some_step(random));
      }
      // Blocks mostly store to places of their own.
      for (Step& step : steps) {
        if (step.array == kOwned) {
          const bool is_shared = step.first < address_of(kOwned) + kArray / 4;
          if (!is_shared) step.first += kOwnedBytes * block;
        } else if (step.array == kUpdated) {
          step.first += 4096 * block;
        } else if (step.shape.one_row && i % 3 != 0) {
          step.first += 512 * block;
        }
      }
    }
    const Found at_once = run(blocks, false);
    const Found later = run(blocks, true);
    INFO("set " << i);
    REQUIRE(same(later.inside, at_once.inside));
    REQUIRE(same(later.among, at_once.among));
    for (std::size_t line = 0; line < at_once.lines.size(); ++line) {
      REQUIRE(std::ranges::equal(later.lines[line], at_once.lines[line],
                                 [](const auto& a, const auto& b) { return same(a, b); }));
    }
    races += at_once.among.empty() ? 0 : 1;
  }
  CHECK(races > 100);
  CHECK(races < 395);
}

TEST_CASE("a load is kept until its array is accessed in another way", "[races][unit]") {
  BlockOrder order;
  order.start(0, 1);
  BlockLines lines;
  lines.start(&order);
  ConflictLog log;
  const LoadPlaces places(LaneShape{}, 4);
  const auto keep = [&](std::uint32_t array) {
    return lines.keep(order, Epoch::of(order.warp(0).now, 1, 0, 0), address_of(array), places,
                      array);
  };
  CHECK(keep(0));
  CHECK(keep(1));
  lines.open(1);
  CHECK(keep(0));
  CHECK(!keep(1));
  const LoadsOfBlock kept = lines.take_loads();
  CHECK(kept.regions == 1);
  CHECK(lines.open_regions() == 2);
  lines.open(kKeptRegions);
  CHECK(!lines.keeps());
  CHECK(lines.take_loads().regions == 0);
}

namespace {

KeptLoad some_load(std::uint32_t site, std::uint64_t first, const LoadPlaces& places) {
  KeptLoad load;
  load.epoch = Epoch::of(1, site, 0, 0);
  load.first = first;
  load.floor = 1;
  load.places = &places;
  return load;
}

}  // namespace

TEST_CASE("the loads of a loop are kept as one turn", "[races][unit]") {
  const LoadPlaces places(LaneShape{}, 4);
  LoadKeeper keeper;
  keeper.start(1);
  const auto turns = [&](std::uint64_t count, std::uint64_t step) {
    for (std::uint64_t i = 0; i < count; ++i) {
      REQUIRE(keeper.add(some_load(1, 4 * i, places)));
      REQUIRE(keeper.add(some_load(2, 0x10000 + i * step, places)));
    }
  };
  turns(100'000, 128);
  REQUIRE(keeper.add(some_load(1, 400'000, places)));
  CHECK(keeper.loads().loads.size() == 3);
  REQUIRE(keeper.loads().loops.size() == 1);
  CHECK(keeper.loads().loops[0].turns == 100'000);
  std::uint64_t count = 0;
  std::uint64_t last = 0;
  keeper.loads().for_each([&](const KeptLoad& load) {
    ++count;
    last = load.first;
  });
  CHECK(count == 200'001);
  CHECK(last == 400'000);
  // A loop steps by one distance. Addresses that do not are kept one by one.
  keeper.start(1);
  for (std::uint64_t i = 0; i < 30; ++i) REQUIRE(keeper.add(some_load(1, i * i * 4, places)));
  CHECK(keeper.loads().loads.size() > 10);
}

TEST_CASE("a block that makes the loads of the one before it needs no list of its own",
          "[races][unit]") {
  const LoadPlaces places(LaneShape{}, 4);
  struct Made {
    std::uint64_t place = 0;
    std::uint32_t turns = 5;
    std::uint64_t last = 0;  // of the load after the loop
    std::uint32_t more = 0;  // loads after that
  };
  LoadKeeper keeper;
  std::uint32_t floor = 1;
  const auto run = [&](const Made& made) {
    floor += 10;
    keeper.start(floor);
    std::vector<std::uint64_t> firsts;
    const auto add = [&](std::uint32_t site, std::uint64_t first) {
      KeptLoad load = some_load(site, first, places);
      load.epoch = Epoch::of(floor, site, 0, 0);
      load.floor = floor;
      load.order = static_cast<std::uint32_t>(kOrderStep * firsts.size() + 1) & kMostOrders;
      REQUIRE(keeper.add(load));
      firsts.push_back(first);
    };
    add(1, made.place);
    for (std::uint32_t turn = 0; turn < made.turns; ++turn) {
      add(2, made.place + 128 * turn);
      add(3, made.place + 4096 * turn);
    }
    add(4, made.place + made.last);
    for (std::uint32_t i = 0; i < made.more; ++i) add(5 + i, made.place);
    const LoadsOfBlock kept = keeper.take(1, 0);
    KeptLoads own;
    kept.restore(own);
    std::size_t at = 0;
    own.for_each([&](const KeptLoad& load) {
      REQUIRE(at < firsts.size());
      CHECK(load.first == firsts[at]);
      CHECK(load.floor == floor);
      CHECK(load.order == kOrderStep * at + 1);
      ++at;
    });
    CHECK(at == firsts.size());
    return kept.list;
  };
  auto list = run({});
  CHECK(list->loops.size() == 1);
  CHECK(run({}) == list);
  CHECK(run({.place = 1 << 20}) == list);
  CHECK(run({.place = 64}) == list);
  const Made others[] = {{.turns = 4}, {.turns = 6}, {.turns = 1}, {.last = 4}, {.more = 1}};
  for (const Made& other : others) {
    CHECK(run(other) != list);
    list = run({});
    CHECK(run({.place = 8}) == list);
  }
}

TEST_CASE("blocks that load the same at other places share one list", "[races][unit]") {
  const LoadPlaces places(LaneShape{}, 4);
  const auto fill = [&](bool alike) {
    KeptBlocks blocks(kept_bytes_for(0));
    for (std::uint64_t block = 0; block < 20'000; ++block) {
      KeptLoads loads;
      for (std::uint32_t site = 0; site < 100; ++site) {
        const std::uint64_t other = alike ? 0 : site * block;
        loads.loads.push_back(some_load(site, block * 4096 + site * 128 + other, places));
      }
      LoadsOfBlock kept;
      kept.list = std::make_shared<const KeptLoads>(std::move(loads));
      kept.block = block;
      kept.regions = 1;
      blocks.add(kept);
    }
    return blocks;
  };
  const KeptBlocks alike = fill(true);
  CHECK(!alike.is_full());
  std::uint64_t next = 0;
  bool right = true;
  alike.for_each(1, [&](const KeptLoads& loads) {
    right = right && loads.block == next && loads.loads.size() == 100 &&
            loads.loads[7].first == next * 4096 + 7 * 128;
    ++next;
  });
  CHECK(right);
  CHECK(next == 20'000);
  CHECK(fill(false).is_full());
}
