#include <array>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "emulator/checkers/races/grid.h"
#include "emulator/checkers/races/order.h"
#include "emulator/checkers/races/shared.h"
#include "emulator/checkers/races/vector_clock.h"

using namespace warpsim;

namespace {

constexpr std::uint32_t kAll = ~std::uint32_t{0};
constexpr std::uint32_t kWarps = 4;

BlockClock before(std::uint32_t tick) {
  BlockClock known;
  known.floor = tick;
  return known;
}

/// 32 consecutive words from `first` bytes on.
template <class T>
std::array<T, 32> row(T first) {
  std::array<T, 32> places;
  for (std::size_t i = 0; i < 32; ++i) places[i] = first + static_cast<T>(4 * i);
  return places;
}

WarpAccess access_of(const BlockOrder& order, std::uint32_t warp, std::uint32_t traits) {
  return {Epoch::of(order.warp(warp).now, 1 + (traits != 0), warp, traits), kAll, 4, nullptr};
}

struct SharedBlock {
  BlockOrder order;
  SharedShadow shadow;
  ConflictLog log;
  std::array<std::byte, 1024> memory = {};

  SharedBlock() {
    shadow.reserve(memory.size());
    order.start(0, kWarps);
  }
  void read(std::uint32_t warp, std::uint32_t first) {
    shadow.load(order, log, access_of(order, warp, 0), row(first).data());
  }
  void write(std::uint32_t warp, std::uint32_t first, std::uint32_t traits = kWriteAccess) {
    shadow.store(order, log, access_of(order, warp, traits), row(first).data(), memory.data());
  }
  void barrier() {
    order.barrier();
    shadow.barrier();
  }
};

/// What one block does to global memory: its only warp writes or reads a row.
void run_block(GridLines& grid, ConflictLog& log, std::uint64_t block, std::uint64_t address,
               std::uint32_t traits) {
  BlockOrder order;
  BlockLines lines;
  ConflictLog inside;
  order.start(block, 1);
  lines.start();
  lines.access(order, inside, access_of(order, 0, traits), row(address).data());
  CHECK(inside.empty());
  grid.add_in_order(block, lines, log);
}

}  // namespace

TEST_CASE("joined knowledge has what either side knew, and nothing else", "[races][unit]") {
  VectorClock a, b;
  a.add(3, before(10));
  b.add(3, before(5));
  b.add(40'000, before(7));
  CHECK(a.join(b));
  CHECK_FALSE(a.join(b));
  CHECK(a.find(3)->covers(Epoch::of(9, 1, 0, 0)));
  CHECK_FALSE(a.find(3)->covers(Epoch::of(10, 1, 0, 0)));
  CHECK(a.find(40'000)->covers(Epoch::of(6, 1, 0, 0)));
  CHECK(a.find(4) == nullptr);
  CHECK(a.find(std::uint64_t{1} << 40) == nullptr);
}

TEST_CASE("knowledge that includes the other side's is not copied", "[races][unit]") {
  VectorClock chain;
  for (std::uint64_t block = 0; block < 2000; ++block) chain.add(block, before(2));
  VectorClock copy = chain;
  VectorClock part;
  part.add(77, before(1));
  CHECK_FALSE(copy.join(part));
  CHECK(copy.is(chain));
}

TEST_CASE("what lanes did at one moment is one part of what is known of a block", "[races][unit]") {
  BlockClock known;
  for (std::uint32_t lane = 0; lane < 32; ++lane) known.add({1, 1u << lane, 7, 7});
  known.add({0, 0xff, 3, 3});
  CHECK(known.parts.size() == 2);
  known.add({1, kAll, 0, 9});
  CHECK(known.parts.size() == 2);
  CHECK(known.covers(Epoch::of(6, 1, 1, 0).with_lane(31)));
  CHECK_FALSE(known.covers(Epoch::of(10, 1, 1, 0)));
  CHECK_FALSE(known.covers(Epoch::of(3, 1, 0, 0).with_lane(8)));
  CHECK_FALSE(known.covers(Epoch::of(2, 1, 0, 0)));
}

TEST_CASE("parts of what is known include together what none has alone", "[races][unit]") {
  BlockClock some, all;
  some.add({1, 0x0f, 0, 9});
  some.add({1, 0xf0, 0, 8});
  all.add({1, 0xff, 0, 8});
  CHECK(some.includes(all));
  CHECK_FALSE(all.includes(some));
  all.add({1, 0x100, 0, 8});
  CHECK_FALSE(some.includes(all));
}

TEST_CASE("a fence covers its own lanes, and the block up to the last barrier", "[races][unit]") {
  BlockOrder order;
  order.start(5, kWarps);
  const Epoch early = Epoch::of(order.warp(2).now, 1, 2, kWriteAccess);
  order.barrier();
  const Epoch late = Epoch::of(order.warp(2).now, 1, 2, kWriteAccess);
  const Epoch own = Epoch::of(order.warp(0).now, 1, 0, kWriteAccess);
  order.fence(0, 1, kAll, SyncScope::device, false);
  const BlockClock* known = order.warp(0).fenced_device.find(5);
  REQUIRE(known != nullptr);
  CHECK(known->covers(early));
  CHECK_FALSE(known->covers(late));
  CHECK(known->covers(own.with_lane(0)));
  CHECK_FALSE(known->covers(own.with_lane(1)));
  const Epoch after = Epoch::of(order.warp(0).now, 1, 0, kWriteAccess);
  CHECK_FALSE(known->covers(after.with_lane(0)));
}

TEST_CASE("a fence for the cluster is none for the grid", "[races][unit]") {
  BlockOrder order;
  order.start(5, kWarps);
  const Epoch own = Epoch::of(order.warp(0).now, 1, 0, kWriteAccess).with_lane(0);
  order.fence(0, 1, kAll, SyncScope::cluster, true);
  REQUIRE(order.warp(0).fenced_cluster.find(5) != nullptr);
  CHECK(order.warp(0).fenced_cluster.find(5)->covers(own));
  CHECK(order.warp(0).fenced_device.empty());
  order.fence(1, 1, kAll, SyncScope::block, true);
  CHECK(order.warp(1).fenced_cluster.empty());
}

TEST_CASE("what was done before a moment that all have passed is known to all", "[races][unit]") {
  BlockOrder order;
  order.start(0, kWarps);
  const Epoch old = Epoch::of(order.warp(1).now, 1, 1, kWriteAccess);
  const std::uint32_t moment = order.moment();
  for (std::uint32_t warp = 0; warp < kWarps; ++warp) order.step(warp);
  const Epoch later = Epoch::of(order.warp(1).now, 1, 1, kWriteAccess);
  const Epoch now = Epoch::of(order.warp(0).now, 1, 0, 0);
  CHECK_FALSE(order.ordered(old, now));
  order.pass(moment);
  CHECK(order.ordered(old, now));
  CHECK_FALSE(order.ordered(later, now));
}

TEST_CASE("a copy's completion tells of the copy and of nothing before it", "[races][unit]") {
  BlockOrder order;
  order.start(0, kWarps);
  const Epoch before_it = Epoch::of(order.warp(0).now, 1, 0, kWriteAccess).with_lane(3);
  order.step(0);
  const Epoch copy = Epoch::of(order.warp(0).now, 2, 0, kWriteAccess).with_lane(3);
  const VectorClock known = order.this_moment(0, 1u << 3);
  CHECK(known.find(0)->covers(copy));
  CHECK_FALSE(known.find(0)->covers(copy.with_lane(4)));
  CHECK_FALSE(known.find(0)->covers(before_it));
}

TEST_CASE("lanes that synchronise order each other, and no others", "[races][unit]") {
  BlockOrder order;
  order.start(0, 1);
  const Epoch old = Epoch::of(order.warp(0).now, 1, 0, kWriteAccess).with_lane(0);
  order.sync_lanes(0, 0x3, kAll);
  const Epoch now = Epoch::of(order.warp(0).now, 1, 0, 0);
  CHECK(order.ordered(old, now.with_lane(1)));
  CHECK_FALSE(order.ordered(old, now.with_lane(2)));
  order.sync_lanes(0, kAll, kAll);
  CHECK(order.ordered(old, Epoch::of(order.warp(0).now, 1, 0, 0).with_lane(2)));
}

TEST_CASE("a read before another warp's write conflicts like one after it", "[races][unit]") {
  for (const bool read_first : {true, false}) {
    SharedBlock block;
    if (read_first) block.read(1, 0);
    block.write(0, 0);
    if (!read_first) block.read(1, 0);
    const auto found = block.log.take();
    REQUIRE(found.size() == 1);
    CHECK(found[0].count == 32);
    CHECK(found[0].conflict.first.warp() != found[0].conflict.second.warp());
  }
}

TEST_CASE("a barrier, distance and strong accesses keep shared accesses apart", "[races][unit]") {
  SharedBlock block;
  block.write(0, 0);
  block.read(1, 128);
  block.barrier();
  block.read(1, 0);
  block.barrier();
  block.write(2, 0, kWriteAccess | kStrongAccess);
  block.write(3, 0, kWriteAccess | kStrongAccess);
  CHECK(block.log.empty());
  block.read(3, 0);
  CHECK_FALSE(block.log.empty());
}

TEST_CASE("the third of three readers' warps conflicts with a writer among them", "[races][unit]") {
  for (std::uint32_t writer = 0; writer < 3; ++writer) {
    SharedBlock block;
    for (std::uint32_t warp = 0; warp < 3; ++warp) block.read(warp, 64);
    block.write(writer, 64);
    CHECK_FALSE(block.log.empty());
  }
}

TEST_CASE("what blocks do to one line conflicts in any order of their ends", "[races][unit]") {
  // Block 2 reads a part of what block 0 writes; block 1 writes the line's neighbour.
  const std::vector<std::vector<std::uint64_t>> orders = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}};
  for (const auto& ends : orders) {
    GridLines grid;
    ConflictLog log;
    for (const std::uint64_t block : ends) {
      const std::uint64_t address = 0x1000 + (block == 1 ? 128 : block * 32);
      run_block(grid, log, block, block == 2 ? 0x1000 - 64 : address,
                block == 2 ? 0 : std::uint32_t{kWriteAccess});
    }
    const auto found = log.take();
    REQUIRE(found.size() == 1);
    CHECK(found[0].conflict.first_block == 0);
    CHECK(found[0].conflict.second_block == 2);
    CHECK(found[0].conflict.address == 0x1000);
    CHECK(found[0].conflict.second.lane() == 16);
  }
}

TEST_CASE("atomics for the cluster meet those of its own blocks only", "[races][unit]") {
  const std::uint32_t traits = kWriteAccess | kStrongAccess | kClusterScope;
  GridLines grid(2);
  ConflictLog log;
  run_block(grid, log, 0, 0x1000, traits);
  run_block(grid, log, 1, 0x1000, traits);
  CHECK(log.empty());
  run_block(grid, log, 2, 0x1000, traits);
  CHECK_FALSE(log.empty());
}

TEST_CASE("a line gives back what blocks did to it", "[races][unit]") {
  GridLines grid(2);
  ConflictLog log;
  run_block(grid, log, 0, 0x1000, 0);
  run_block(grid, log, 1, 0x1000, 0);
  CHECK(grid.runs(0x1000 / kRaceLineBytes).size() == 2);
  CHECK(grid.runs(0x1000 / kRaceLineBytes)[1].block == 1);
  CHECK(grid.runs(0x2000 / kRaceLineBytes).empty());
}

TEST_CASE("a range of lines gives back those that were used, in order", "[races][unit]") {
  GridLines grid(2);
  ConflictLog log;
  run_block(grid, log, 0, 0x51000, 0);
  run_block(grid, log, 1, 0x1000, 0);
  run_block(grid, log, 2, 0x1000 + 2 * kRaceLineBytes, 0);
  std::vector<std::uint64_t> seen;
  const auto note = [&](std::uint64_t number, const LineRun&) { seen.push_back(number); };
  const std::uint64_t line = 0x1000 / kRaceLineBytes;
  grid.for_each(line, 0x51000 / kRaceLineBytes, note);
  CHECK(seen == std::vector{line, line + 2, 0x51000 / kRaceLineBytes});
  seen.clear();
  grid.for_each(line + 1, line + 1, note);
  CHECK(seen.empty());
}

TEST_CASE("a line that many blocks use in parts keeps their parts apart", "[races][unit]") {
  GridLines grid;
  ConflictLog log;
  BlockOrder order;
  BlockLines lines;
  ConflictLog inside;
  for (std::uint64_t block = 0; block < 32; ++block) {
    order.start(block, 1);
    lines.start();
    WarpAccess one = access_of(order, 0, kWriteAccess);
    one.lanes = 1;
    const std::array<std::uint64_t, 32> address = {0x2000 + 4 * block};
    lines.access(order, inside, one, address.data());
    grid.add_in_order(block, lines, log);
  }
  CHECK(inside.empty());
  CHECK(log.empty());
  run_block(grid, log, 32, 0x2000, 0);
  const auto found = log.take();
  REQUIRE(found.size() == 1);
  CHECK(found[0].count == 32);
}

TEST_CASE("what is volatile is told from atomics, whatever else a epoch says", "[races][unit]") {
  const auto epoch = [](std::uint32_t traits) { return Epoch::of(1, 1, 0, traits); };
  const Epoch load = epoch(kStrongAccess | kPlainVolatile);
  const Epoch signal = epoch(kStrongAccess | kWriteAccess | kVolatileSignal);
  const Epoch update = epoch(kStrongAccess | kWriteAccess);
  const Epoch exchange = epoch(kStrongAccess | kWriteAccess | kValidating);
  const Epoch in_cluster = epoch(kStrongAccess | kWriteAccess | kValidating | kClusterScope);
  CHECK(load.plain_volatile());
  CHECK(signal.is_volatile());
  CHECK_FALSE(signal.plain_volatile());
  CHECK_FALSE(signal.validating());
  CHECK(exchange.validating());
  CHECK(in_cluster.validating());
  CHECK_FALSE(in_cluster.is_volatile());
  CHECK(load.mixes_with(update));
  CHECK(exchange.mixes_with(signal));
  CHECK_FALSE(load.mixes_with(signal));
  CHECK_FALSE(update.mixes_with(exchange));
  CHECK_FALSE(load.mixes_with(epoch(kWriteAccess)));
}

TEST_CASE("a volatile access and an atomic of two warps are noted, unless a barrier orders them",
          "[races][unit]") {
  constexpr std::uint32_t kUpdate = kWriteAccess | kStrongAccess;
  constexpr std::uint32_t kSignal = kWriteAccess | kStrongAccess | kVolatileSignal;
  SharedBlock mixed;
  mixed.write(0, 0, kSignal);
  mixed.write(1, 0, kUpdate);
  auto found = mixed.log.take();
  REQUIRE(found.size() == 1);
  CHECK(found[0].conflict.meeting == Meeting::mixed);
  SharedBlock ordered;
  ordered.write(0, 0, kSignal);
  ordered.barrier();
  ordered.write(1, 0, kUpdate);
  CHECK(ordered.log.empty());
  SharedBlock alike;
  alike.write(0, 0, kUpdate);
  alike.write(1, 0, kUpdate);
  CHECK(alike.log.empty());
}

TEST_CASE("what a narrow fence was to tell is noted between blocks, and what one told is not",
          "[races][unit]") {
  constexpr std::uint32_t kVolatileStore = kWriteAccess | kStrongAccess | kPlainVolatile;
  constexpr std::uint32_t kVolatileLoad = kStrongAccess | kPlainVolatile;
  for (const bool reaches : {false, true}) {
    GridLines grid;
    ConflictLog log;
    run_block(grid, log, 0, 0x1000, kVolatileStore);
    BlockOrder order;
    order.start(1, 1);
    VectorClock told;
    told.add(0, before(100));
    if (reaches) order.learn(0, told);
    order.intend(0, told);
    CHECK(order.intends());
    BlockLines lines;
    lines.start();
    lines.access(order, log, access_of(order, 0, kVolatileLoad), row(std::uint64_t{0x1000}).data());
    lines.settle([&](const BlockLines::Line& line) { grid.add(line, &order, log); });
    const auto found = log.take();
    REQUIRE(found.size() == (reaches ? 0 : 1));
    if (!reaches) CHECK(found[0].conflict.meeting == Meeting::narrow);
    // The next block of this worker has heard of nothing.
    order.start(2, 1);
    CHECK_FALSE(order.intends());
  }
}
