#include "emulator/checkers/races/lines.h"

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "emulator/checkers/races/grid.h"
#include "emulator/checkers/races/order.h"

using namespace warpsim;

namespace {

constexpr std::uint64_t kBase = 0x10000;

/// One access of a warp: where its lanes are.
struct Access {
  std::array<std::uint64_t, 32> address = {};
  std::uint32_t lanes = ~std::uint32_t{0};
  std::uint32_t width = 4;
  bool write = false;

  [[nodiscard]] std::set<std::uint64_t> bytes_of(std::uint32_t lane) const {
    std::set<std::uint64_t> bytes;
    for (std::uint32_t i = 0; ((lanes >> lane) & 1) != 0 && i < width; ++i) {
      bytes.insert(address[lane] + i);
    }
    return bytes;
  }
  [[nodiscard]] std::set<std::uint64_t> bytes() const {
    std::set<std::uint64_t> all;
    for (std::uint32_t lane = 0; lane < 32; ++lane) all.merge(bytes_of(lane));
    return all;
  }
};

/// Lane i at `first` + i * `stride` bytes.
Access equally_spaced(std::uint64_t first, std::int64_t stride, bool write,
                      std::uint32_t width = 4) {
  Access access;
  access.write = write;
  access.width = width;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    access.address[lane] = first + static_cast<std::uint64_t>(stride * std::int64_t(lane));
  }
  return access;
}

/// Accesses that structures, rows, walks from the end and scattered places make.
Access some_access(std::mt19937& random) {
  static constexpr std::array<std::int64_t, 14> kStrides = {0,  1, -1, 2, 2,  -2, 3,
                                                            -3, 4, 5,  7, 31, 32, -33};
  Access access;
  access.write = random() % 2 == 0;
  access.width = 1u << (random() % 4);
  const std::int64_t width = access.width;
  const std::int64_t stride = kStrides[random() % kStrides.size()] * width;
  const std::int64_t first = static_cast<std::int64_t>(random() % 64) * width + 40 * 128;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    access.address[lane] = kBase + static_cast<std::uint64_t>(first + stride * std::int64_t(lane));
    if (random() % 64 == 0) {
      access.address[lane] = kBase + random() % 256 / access.width * access.width;
    }
  }
  if (random() % 4 == 0) access.lanes = static_cast<std::uint32_t>(random()) | 1;
  return access;
}

void run(const Access& access, const BlockOrder& order, std::uint32_t warp, BlockLines& lines,
         ConflictLog& log) {
  const std::uint32_t traits = access.write ? std::uint32_t{kWriteAccess} : 0;
  const WarpAccess seen{Epoch::of(order.warp(warp).now, 1 + traits, warp, traits), access.lanes,
                        access.width};
  lines.access(order, log, seen, access.address.data());
}

/// What blocks of one warp each do, one access after the other.
std::vector<ConflictLog::Entry> conflicts_of_blocks(const std::vector<Access>& accesses) {
  GridLines grid;
  ConflictLog log;
  for (std::size_t block = 0; block < accesses.size(); ++block) {
    BlockOrder order;
    BlockLines lines;
    ConflictLog inside;
    order.start(block, 1);
    lines.start();
    run(accesses[block], order, 0, lines, inside);
    grid.add_in_order(block, lines, log);
  }
  return log.take();
}

bool meet(const Access& a, const Access& b) {
  if (!a.write && !b.write) return false;
  const std::set<std::uint64_t> bytes = a.bytes();
  for (const std::uint64_t byte : b.bytes()) {
    if (bytes.contains(byte)) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("two members of an array of structures are apart", "[races][unit]") {
  const Access x = equally_spaced(kBase, 8, true);
  CHECK(conflicts_of_blocks({x, equally_spaced(kBase + 4, 8, true)}).empty());
  CHECK(conflicts_of_blocks({x, equally_spaced(kBase + 4, -8, true)}).empty());
  const auto found = conflicts_of_blocks({x, equally_spaced(kBase + 64, 8, false)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].conflict.address == kBase + 64);
  CHECK(found[0].conflict.first.lane() == 8);
  CHECK(found[0].conflict.second.lane() == 0);
}

TEST_CASE("an array that is walked from its end meets one walked from its start", "[races][unit]") {
  const auto found = conflicts_of_blocks(
      {equally_spaced(kBase, 4, true), equally_spaced(kBase + 31 * 4, -4, false)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].conflict.address == kBase);
  CHECK(found[0].conflict.first.lane() == 0);
  CHECK(found[0].conflict.second.lane() == 31);
}

TEST_CASE("members of an array of structures stay few pieces of a line", "[races][unit]") {
  BlockOrder order;
  order.start(0, 2);
  BlockLines lines;
  lines.start();
  ConflictLog log;
  for (const std::uint64_t member : {0, 4, 8}) {
    run(equally_spaced(kBase + member, 12, false), order, 0, lines, log);
  }
  for (const BlockLines::Line& line : lines.take({})) {
    CHECK(line.cells == nullptr);
    CHECK(line.count == 3);
  }
}

TEST_CASE("accesses of two blocks conflict where a byte is common to both, and only there",
          "[races][unit]") {
  std::mt19937 random(1);
  int conflicts = 0;
  for (int i = 0; i < 4000; ++i) {
    const Access a = some_access(random);
    const Access b = some_access(random);
    const auto found = conflicts_of_blocks({a, b});
    std::size_t between = 0;
    for (const auto& entry : found) {
      const Conflict& conflict = entry.conflict;
      CHECK(conflict.first_block != conflict.second_block);
      ++between;
      CHECK(a.bytes_of(conflict.first.lane()).contains(conflict.address));
      CHECK(b.bytes_of(conflict.second.lane()).contains(conflict.address));
    }
    INFO("pair " << i);
    REQUIRE((between != 0) == meet(a, b));
    conflicts += between != 0;
  }
  CHECK(conflicts > 500);
  CHECK(conflicts < 3500);
}

TEST_CASE("a block's access conflicts with some of many others if and only if a byte is common",
          "[races][unit]") {
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i) {
    std::vector<Access> accesses;
    for (int k = 0; k < 8; ++k) {
      accesses.push_back(some_access(random));
      accesses.back().write = false;
    }
    Access last = some_access(random);
    last.write = true;
    bool expected = false;
    for (const Access& access : accesses) expected = expected || meet(access, last);
    accesses.push_back(last);
    INFO("set " << i);
    REQUIRE(!conflicts_of_blocks(accesses).empty() == expected);
  }
}

TEST_CASE("two warps of a block conflict where a byte is common to both, and only there",
          "[races][unit]") {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const Access a = some_access(random);
    const Access b = some_access(random);
    BlockOrder order;
    order.start(0, 2);
    BlockLines lines;
    lines.start();
    ConflictLog log;
    run(a, order, 0, lines, log);
    log.take();  // lanes of one store
    run(b, order, 1, lines, log);
    bool between = false;
    for (const auto& entry : log.take()) {
      between = between || entry.conflict.first.warp() != entry.conflict.second.warp();
    }
    INFO("pair " << i);
    REQUIRE(between == meet(a, b));
  }
}

TEST_CASE("two accesses of a warp conflict where different lanes have a common byte",
          "[races][unit]") {
  std::mt19937 random(4);
  for (int i = 0; i < 2000; ++i) {
    Access a = some_access(random);
    Access b = some_access(random);
    a.write = false;
    b.write = true;
    BlockOrder order;
    order.start(0, 1);
    BlockLines lines;
    lines.start();
    ConflictLog log;
    run(a, order, 0, lines, log);
    run(b, order, 0, lines, log);
    bool expected = false;
    for (std::uint32_t x = 0; x < 32; ++x) {
      const auto bytes = a.bytes_of(x);
      for (std::uint32_t y = 0; y < 32; ++y) {
        for (const std::uint64_t byte : b.bytes_of(y)) {
          expected = expected || (x != y && bytes.contains(byte));
        }
      }
    }
    bool found = false;
    for (const auto& entry : log.take()) found = found || !entry.conflict.one_instruction;
    INFO("pair " << i);
    REQUIRE(found == expected);
  }
}

namespace {

std::vector<Access> some_loads(std::mt19937& random, std::size_t count) {
  std::vector<Access> loads;
  for (std::size_t i = 0; i < count; ++i) {
    loads.push_back(some_access(random));
    loads.back().write = false;
  }
  return loads;
}

/// Of one lane: of several in one place only one would be judged.
Access some_store(std::mt19937& random) {
  Access store = some_access(random);
  store.write = true;
  store.lanes = std::uint32_t{1} << random() % 32;
  return store;
}

}  // namespace

TEST_CASE("after many loads of many blocks, a store conflicts if another block loaded its bytes",
          "[races][unit]") {
  std::mt19937 random(5);
  int conflicts = 0;
  for (int i = 0; i < 300; ++i) {
    GridLines grid;
    ConflictLog log;
    constexpr std::size_t kBlocks = 6;
    const Access store = some_store(random);
    const std::size_t writer = random() % kBlocks;
    bool expected = false;
    for (std::size_t block = 0; block < kBlocks; ++block) {
      BlockOrder order;
      BlockLines lines;
      ConflictLog inside;
      order.start(block, 1);
      lines.start();
      for (const Access& load : some_loads(random, 12)) {
        run(load, order, 0, lines, inside);
        expected = expected || (block != writer && meet(load, store));
      }
      grid.add_in_order(block, lines, log);
    }
    BlockOrder order;
    BlockLines lines;
    ConflictLog inside;
    order.start(writer, 1);
    lines.start();
    run(store, order, 0, lines, inside);
    for (const BlockLines::Line& line : lines.take({})) grid.add(line, nullptr, log);
    const auto found = log.take();
    INFO("set " << i);
    REQUIRE(found.empty() != expected);
    for (const auto& entry : found) CHECK(entry.conflict.first_block != writer);
    conflicts += expected;
  }
  CHECK(conflicts > 50);
  CHECK(conflicts < 290);
}

TEST_CASE("after many loads of a block, a store conflicts if another lane loaded its bytes",
          "[races][unit]") {
  std::mt19937 random(6);
  int conflicts = 0;
  for (int i = 0; i < 300; ++i) {
    BlockOrder order;
    order.start(0, 3);
    BlockLines lines;
    lines.start();
    ConflictLog log;
    const Access store = some_store(random);
    const auto writer = static_cast<std::uint32_t>(random() % 3);
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(store.lanes));
    bool expected = false;
    const std::size_t count = 1 + random() % 200;
    for (const Access& load : some_loads(random, count)) {
      const auto warp = static_cast<std::uint32_t>(random() % 3);
      run(load, order, warp, lines, log);
      for (std::uint32_t x = 0; x < 32; ++x) {
        if (warp == writer && x == lane) continue;
        for (const std::uint64_t byte : load.bytes_of(x)) {
          expected = expected || store.bytes_of(lane).contains(byte);
        }
      }
    }
    REQUIRE(log.empty());
    run(store, order, writer, lines, log);
    INFO("set " << i << ", " << count << " loads");
    REQUIRE(log.empty() != expected);
    conflicts += expected;
  }
  CHECK(conflicts > 50);
  CHECK(conflicts < 290);
}

namespace {

/// Cells of a line with what some warps of a block did to it.
std::unique_ptr<LineCells> cells_of(const LineJudge& judge, const std::vector<LineRun>& runs) {
  std::vector<LineRun> room(4);
  std::uint32_t count = 0;
  std::unique_ptr<LineCells> cells;
  const LineView view{room.data(), &count, 4, &cells};
  for (const LineRun& run : runs) {
    if (!add_run(view, judge, run)) expand_line(view, judge, run);
  }
  return cells;
}

bool same_cells(const LineCells::List& a, const LineCells::List& b) {
  return std::ranges::equal(
      a, b, [](const LineCell& x, const LineCell& y) { return x.epoch == y.epoch; });
}

}  // namespace

TEST_CASE("accesses that are added at once leave the cells as those that are judged",
          "[races][unit]") {
  std::mt19937 random(11);
  int added = 0;
  int refused = 0;
  for (int round = 0; round < 200; ++round) {
    BlockOrder order;
    order.start(0, 3);
    ConflictLog log;
    LineJudge judge;
    judge.order = &order;
    judge.log = &log;
    const bool mixes = round % 4 == 0;  // has loads and stores, too
    std::vector<LineRun> runs;
    for (int i = 0; i < 120; ++i) {
      if (random() % 30 == 0) order.barrier();
      judge.floor_bits = order.floor_bits();
      static constexpr int kStrides[] = {0, 0, 0, 4, 4, -4, 8};
      const auto warp = static_cast<std::uint32_t>(random() % 3);
      std::uint32_t traits = kWriteAccess | kStrongAccess;
      if (round % 3 == 0 && random() % 20 == 0) traits |= kValidating;
      if (round % 2 == 0) traits = 0;
      if (mixes && random() % 40 == 0) traits = random() % 2 == 0 ? 0 : kWriteAccess;
      LineRun run;
      run.epoch = Epoch::of(order.warp(warp).now, 1 + traits, warp, traits).bits;
      run.stride = static_cast<std::int8_t>(kStrides[random() % std::size(kStrides)]);
      run.width = 4;
      run.first = static_cast<std::uint8_t>(random() % 32);
      const int most = run.stride == 0 ? 31 : 31 / (std::abs(run.stride) / 4);
      run.last = static_cast<std::uint8_t>(
          std::min<int>(31, run.first + static_cast<int>(random() % 4 == 0 ? random() % 32 : 0)));
      run.last = static_cast<std::uint8_t>(std::min<int>(run.last, run.first + most));
      const int span = (run.last - run.first) * run.stride;
      const int low =
          4 * static_cast<int>(random() % static_cast<std::uint32_t>(32 - std::abs(span) / 4));
      run.origin = static_cast<std::int16_t>(low - (span < 0 ? span : 0) - run.first * run.stride);
      const std::unique_ptr<LineCells> before = cells_of(judge, runs);
      runs.push_back(run);
      if (before == nullptr || !run.is_of_words()) continue;
      if (!is_weak_load(run) && !run.is_update()) continue;
      const std::unique_ptr<LineCells> judged = cells_of(judge, runs);
      if (!before->add_alike(run, judge.recent())) {
        ++refused;
        continue;
      }
      ++added;
      CHECK(same_cells(before->writer, judged->writer));
      CHECK(same_cells(before->writer2, judged->writer2));
      CHECK(same_cells(before->reader, judged->reader));
      CHECK(same_cells(before->reader2, judged->reader2));
    }
    CHECK((mixes || round % 3 == 0 || log.take().empty()));
  }
  CHECK(added > 1000);
  CHECK(refused > 100);
}
