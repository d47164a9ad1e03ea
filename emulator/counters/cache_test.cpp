#include "emulator/counters/cache.h"

#include <catch2/catch_test_macros.hpp>
#include <random>
#include <thread>

using namespace warpsim;

namespace {

constexpr std::uint64_t kForever = ~std::uint64_t{0};

std::uint64_t of(const std::array<std::uint64_t, kL2Kinds>& values, L2Kind kind) {
  return values[static_cast<std::size_t>(kind)];
}

}  // namespace

TEST_CASE("a cache knows sectors, not only lines", "[counters][cache][unit]") {
  SectorCache cache(1024 * kLineBytes, 4);
  CHECK(cache.access(7, 0b0011).hit == 0);
  CHECK(cache.access(7, 0b0110).hit == 0b0010);
  CHECK(cache.access(7, 0b1111).hit == 0b0111);
  CHECK(cache.peek(7) == 0b1111);
  CHECK(cache.peek(8) == 0);
}

TEST_CASE("a contiguous range that fits stays, whatever its place", "[counters][cache][unit]") {
  for (const std::uint64_t base : {std::uint64_t{0}, std::uint64_t{12345}, kLocalLines / 128}) {
    SectorCache cache(256 * kLineBytes, 4);
    const std::uint64_t lines = cache.lines();
    for (std::uint64_t i = 0; i < lines; ++i) CHECK(cache.access(base + i, 0xf).hit == 0);
    for (std::uint64_t i = 0; i < lines; ++i) CHECK(cache.access(base + i, 0xf).hit == 0xf);
  }
}

TEST_CASE("the least recently used line of a set goes first", "[counters][cache][unit]") {
  SectorCache cache(64 * kLineBytes, 4);
  const std::uint64_t sets = cache.lines() / 4;
  for (std::uint64_t i = 0; i < 4; ++i) static_cast<void>(cache.access(i * sets, 1));
  static_cast<void>(cache.access(0, 1));
  static_cast<void>(cache.access(4 * sets, 1));
  CHECK(cache.peek(0) == 1);
  CHECK(cache.peek(sets) == 0);
  CHECK(cache.peek(2 * sets) == 1);
}

TEST_CASE("dirty sectors are written when their line goes", "[counters][cache][unit]") {
  SectorCache cache(64 * kLineBytes, 4);
  const std::uint64_t sets = cache.lines() / 4;
  static_cast<void>(cache.access(0, 0xf, 0b0101));
  CHECK(cache.dirty_sectors() == 2);
  std::uint32_t evicted = 0;
  for (std::uint64_t i = 1; i <= 4; ++i) evicted += cache.access(i * sets, 1).evicted;
  CHECK(evicted == 2);
  CHECK(cache.dirty_sectors() == 0);
}

TEST_CASE("a cleared cache is empty, also after many times", "[counters][cache][unit]") {
  SectorCache cache(64 * kLineBytes, 4);
  for (int i = 0; i < 70000; ++i) {
    static_cast<void>(cache.access(3, 1, 1));
    cache.clear();
    REQUIRE(cache.peek(3) == 0);
  }
  CHECK(cache.dirty_sectors() == 0);
}

TEST_CASE("L1 keeps whole stored sectors and passes every store on", "[counters][cache][unit]") {
  SecondLevel second(std::uint64_t{1} << 20);
  second.begin_launch(1, 8);
  BlockCache first(64 * kLineBytes, nullptr);
  first.start();
  first.store(1, 0xf, true);
  first.store(2, 0xf, false);
  CHECK(first.load(1, 0xf) == 4);
  CHECK(first.load(2, 0xf) == 0);
  CHECK(first.load(2, 0xf) == 4);
  first.load_beyond(2, 1);
  first.atomic(3, 1, true);
  first.atomic(3, 1, false);
  first.finish(0, second, kForever);
  const CacheTotals totals = second.end_launch(kForever);
  CHECK(of(totals.sectors, L2Kind::write) == 8);
  CHECK(of(totals.sectors, L2Kind::read) == 5);
  CHECK(of(totals.hits, L2Kind::read) == 5);
  CHECK(of(totals.sectors, L2Kind::atomic) == 1);
  CHECK(of(totals.hits, L2Kind::atomic) == 0);
  CHECK(of(totals.hits, L2Kind::reduction) == 1);
  CHECK(totals.dram_reads == 1);
  CHECK(totals.dirty_at_end == 9);
}

TEST_CASE("a read brings both sectors of 64 bytes from memory, an atomic only its own",
          "[counters][cache][unit]") {
  SecondLevel second(std::uint64_t{1} << 20);
  second.begin_launch(1, 8);
  BlockCache first(64 * kLineBytes, nullptr);
  first.start();
  first.load(1, 0b0001);
  first.load(2, 0b0110);
  first.load_beyond(1, 0b0010);
  first.load(3, 0b1111);
  first.atomic(4, 0b0001, true);
  first.finish(0, second, kForever);
  const CacheTotals totals = second.end_launch(kForever);
  CHECK(of(totals.sectors, L2Kind::read) == 1 + 2 + 1 + 4);
  CHECK(of(totals.hits, L2Kind::read) == 1);
  CHECK(totals.dram_reads == 2 + 4 + 4 + 1);
}

TEST_CASE("the second level gives the same numbers in whatever order blocks end",
          "[counters][cache][unit]") {
  const auto total = [](const std::vector<std::uint64_t>& order) {
    SecondLevel second(16 * kLineBytes * 16);
    second.begin_launch(order.size(), 4);
    for (const std::uint64_t block : order) {
      std::mt19937 random(static_cast<unsigned>(block));
      BlockCache first(32 * kLineBytes, nullptr);
      first.start();
      for (int i = 0; i < 2000; ++i) {
        const std::uint64_t line = random() % 600;
        if (i % 3 == 0) {
          first.store(line, 1u << i % 4, false);
        } else {
          first.load(line, 0x3);
        }
      }
      first.finish(block, second, kForever);
    }
    return second.end_launch(kForever);
  };
  const CacheTotals forward = total({0, 1, 2, 3, 4, 5});
  const CacheTotals mixed = total({4, 1, 0, 5, 3, 2});
  CHECK(forward.dram_reads > 0);
  CHECK(forward.dram_writes > 0);
  CHECK(forward.sectors == mixed.sectors);
  CHECK(forward.hits == mixed.hits);
  CHECK(forward.dram_reads == mixed.dram_reads);
  CHECK(forward.dram_writes == mixed.dram_writes);
  CHECK(forward.dirty_at_end == mixed.dirty_at_end);
}

TEST_CASE("blocks after the one that ended the launch do not count", "[counters][cache][unit]") {
  SecondLevel second(std::uint64_t{1} << 20);
  second.begin_launch(3, 2);
  BlockCache first(64 * kLineBytes, nullptr);
  for (const std::uint64_t block : {std::uint64_t{2}, std::uint64_t{0}, std::uint64_t{1}}) {
    first.start();
    first.load(block, 1);
    first.finish(block, second, block == 2 ? kForever : 1);
  }
  CHECK(of(second.end_launch(1).sectors, L2Kind::read) == 2);
}

TEST_CASE("blocks that are on the card together share the second level",
          "[counters][cache][unit]") {
  // Each block reads half of what the second level holds, twice: alone it hits, with others not.
  const auto hits = [](std::uint64_t wave) {
    constexpr std::uint64_t kBlocks = 4;
    SecondLevel second(1024 * kLineBytes);
    second.begin_launch(kBlocks, wave);
    for (std::uint64_t block = 0; block < kBlocks; ++block) {
      BlockCache first(16 * kLineBytes, nullptr);
      first.start();
      for (int pass = 0; pass < 2; ++pass) {
        for (std::uint64_t i = 0; i < 512; ++i) first.load(block * 512 + i, 1);
      }
      first.finish(block, second, kForever);
    }
    return of(second.end_launch(kForever).hits, L2Kind::read);
  };
  CHECK(hits(1) == 4 * 512);
  CHECK(hits(4) == 0);
}

TEST_CASE("what a block asks for beyond its queue counts as the rest does",
          "[counters][cache][unit]") {
  constexpr std::uint64_t kLines = 400'000;
  SecondLevel second(std::uint64_t{1} << 20);
  second.begin_launch(1, 8);
  BlockCache first(64 * kLineBytes, nullptr);
  first.start();
  for (std::uint64_t i = 0; i < kLines; ++i) first.load(i, 0xf);
  first.finish(0, second, kForever);
  const CacheTotals totals = second.end_launch(kForever);
  CHECK(of(totals.sectors, L2Kind::read) == kLines * 4);
  CHECK(totals.dram_reads == kLines * 4);
}

TEST_CASE("a block's share of the first level is what its neighbours leave",
          "[counters][cache][unit]") {
  const std::vector<std::uint64_t> carve_outs = {0, 8 << 10, 16 << 10, 100 << 10};
  CHECK(first_level_share(192 << 10, carve_outs, 0, 8) == 24 << 10);
  CHECK(first_level_share(192 << 10, carve_outs, 3 << 10, 4) == 44 << 10);
  CHECK(first_level_share(192 << 10, carve_outs, 200 << 10, 1) == 0);
}
