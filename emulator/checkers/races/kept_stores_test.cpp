#include "emulator/checkers/races/kept_stores.h"

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <deque>

#include "emulator/checkers/races/lines.h"
#include "emulator/checkers/races/order.h"

using namespace warpsim;

namespace {

std::uint64_t start_of(std::uint32_t array) {
  return 0x10000 + array * std::uint64_t{0x10000};
}

}  // namespace

TEST_CASE("stores of rows are kept until one is written again or accessed in another way",
          "[races][unit]") {
  BlockOrder order;
  order.start(0, 1);
  BlockLines lines;
  lines.start(&order);
  const LoadPlaces places(LaneShape{}, 4);
  const auto store = [&](std::uint32_t array, std::uint64_t line, std::uint32_t lanes = ~0u) {
    WarpAccess access;
    access.epoch = Epoch::of(order.warp(0).now, 1, 0, kWriteAccess);
    access.lanes = lanes;
    access.width = 4;
    access.first = start_of(array) + line * kRaceLineBytes +
                   4 * static_cast<std::uint64_t>(std::countr_zero(lanes));
    return lines.keep_store(access, array);
  };
  const auto load = [&](std::uint32_t array) {
    const Epoch epoch = Epoch::of(order.warp(0).now, 2, 0, 0);
    return lines.keep(order, epoch, start_of(array), places, array);
  };
  CHECK(store(0, 0));
  CHECK(store(0, 1, 0xffff));
  CHECK(store(0, 1, 0xffff0000));
  CHECK(!store(0, 1, 0x8000));
  CHECK(!store(0, 2, 0xff00ff));
  CHECK(!load(0));
  CHECK(store(1, 7));
  lines.open(1);
  CHECK(!store(1, 8));
  CHECK(load(2));
  CHECK(!store(2, 9));
  CHECK(lines.take({}).size() == 1);
  const KeptStores kept = lines.take_stores({});
  CHECK(kept.regions == 1);
  // Where blocks share no line, none meets another.
  StoresOfBlocks blocks;
  CHECK(blocks.mark(kept) == 0);
  blocks.add(kept);
  KeptStores next = kept;
  for (KeptStore& one : next.list) one.line += 2;
  CHECK(blocks.mark(next) == 0);
  CHECK(blocks.mark(kept) == 1);
  std::ptrdiff_t count = 0;
  blocks.for_each(1, [&](const KeptStores& one) {
    count += std::ranges::count(one.list, 0, &KeptStore::region);
  });
  CHECK(count == 3);
  blocks.drop(1);
  CHECK(blocks.regions() == 0);
  CHECK(blocks.bytes() == 0);
}

TEST_CASE("a store to what its lanes have loaded is kept with the load", "[races][unit]") {
  BlockOrder order;
  BlockLines lines;
  std::deque<LoadPlaces> places;
  const auto shape_of = [](std::uint32_t lanes) {
    LaneShape shape;
    shape.mask = lanes;
    for (std::uint32_t i = 0; i < 32; ++i) shape.relative[i] = 4 * i;
    return shape;
  };
  const auto load = [&](std::uint64_t line, std::uint32_t warp = 0, std::uint32_t lanes = ~0u) {
    places.emplace_back(shape_of(lanes), 4);
    const Epoch epoch = Epoch::of(order.warp(warp).now, 1, warp, 0);
    return lines.keep(order, epoch, start_of(0) + line * kRaceLineBytes, places.back(), 0);
  };
  const auto store = [&](std::uint64_t line, std::uint32_t warp = 0, std::uint32_t lanes = ~0u) {
    WarpAccess access;
    access.epoch = Epoch::of(order.warp(warp).now, 2, warp, kWriteAccess);
    access.lanes = lanes;
    access.width = 4;
    access.first = start_of(0) + line * kRaceLineBytes;
    return lines.keep_store(access, 0);
  };
  const auto start = [&](std::uint64_t block, RegionSet pairs = 1) {
    order.start(block, 2);
    lines.start(&order, 0, pairs);
  };
  const auto kept = [&] {
    const std::size_t opened = lines.take({}).size();
    return lines.take_loads().regions == 1 && lines.take_stores({}).regions == 1 && opened == 0;
  };
  start(0);
  CHECK(load(0));
  CHECK(load(1, 1));
  CHECK(store(1, 1));
  CHECK(store(0));
  CHECK(load(2));
  CHECK(store(2));
  CHECK(kept());
  SECTION("by another warp") {
    start(1);
    CHECK(load(0));
    CHECK(!store(0, 1));
  }
  SECTION("by fewer lanes") {
    start(1);
    CHECK(load(0));
    CHECK(!store(0, 0, 0xffff));
  }
  SECTION("twice") {
    start(1);
    CHECK(load(0));
    CHECK(store(0));
    CHECK(!store(0));
  }
  SECTION("loaded once more") {
    start(1);
    CHECK(load(0));
    CHECK(store(0));
    CHECK(!load(0, 1));
  }
  SECTION("loaded and not stored to") {
    start(1);
    CHECK(load(0));
    CHECK(load(1));
    CHECK(store(0));
    CHECK(lines.take({}).size() == 2);
    CHECK(lines.take_stores({}).regions == 0);
  }
  SECTION("where no block before has done so") {
    start(1, 0);
    CHECK(load(0));
    CHECK(!store(0));
  }
}

TEST_CASE("stores of more than a line are kept as one part for each line", "[races][unit]") {
  BlockOrder order;
  order.start(0, 1);
  BlockLines lines;
  lines.start(&order);
  const auto store = [&](std::uint32_t width, std::uint64_t place) {
    WarpAccess access;
    access.epoch = Epoch::of(order.warp(0).now, 1, 0, kWriteAccess);
    access.lanes = ~0u;
    access.width = width;
    access.first = start_of(0) + place;
    return lines.keep_store(access, 0);
  };
  CHECK(store(16, 0));
  CHECK(store(4, 512 + 36));
  CHECK(store(1, 1024));
  CHECK(!store(1, 1058));  // half a word
  CHECK(!store(4, 2 * 1024 + 2));
  const KeptStores kept = lines.take_stores({});
  REQUIRE(kept.list.size() == 7);
  CHECK(kept.list[1].first == 8);
  CHECK(kept.list[1].last == 15);
  CHECK(kept.list[4].words() == 0xfffffe00);
  CHECK(kept.list[5].words() == 0x1ff);
  CHECK(kept.list[6].words() == 0xff);
}

TEST_CASE("words are found in a set whatever their order", "[races][unit]") {
  WordSet words;
  const auto add = [&](std::uint64_t line, std::uint64_t first = 0, std::uint64_t last = 31) {
    const std::uint64_t from = line * kRaceLineBytes;
    return words.add(from + 4 * first, from + 4 * (last + 1));
  };
  for (std::uint64_t line = 10; line < 20; ++line) CHECK(add(line));
  CHECK(!add(19));
  CHECK(add(5));
  for (std::uint64_t line = 1000; line > 500; line -= 5) CHECK(add(line, 4, 11));
  CHECK(!add(10));
  CHECK(!add(5, 7, 7));
  CHECK(!add(505, 11, 12));
  CHECK(add(505, 13, 31));
  CHECK(add(505, 0, 3));
  CHECK(add(21, 16, 63));
  CHECK(!add(22, 31, 31));
  words.clear();
  CHECK(add(10, 0, 15));
  CHECK(add(10, 16, 20));
  CHECK(!add(10, 20, 20));
  CHECK(add(10, 21, 21));
}
