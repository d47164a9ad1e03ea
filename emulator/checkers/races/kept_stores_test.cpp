#include "emulator/checkers/races/kept_stores.h"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstddef>
#include <deque>

#include "emulator/checkers/races/lines.h"
#include "emulator/checkers/races/order.h"

using namespace warpsim;

namespace {

std::uint64_t start_of(std::uint32_t array) {
  return 0x10000 + array * std::uint64_t{0x10000};
}

/// A block of two warps and what it keeps.
struct Block {
  BlockOrder order;
  BlockLines lines;
  std::deque<LoadPlaces> places;

  explicit Block(std::uint64_t number = 0, RegionSet mixed = 0) {
    order.start(number, 2);
    lines.start(&order, 0, mixed);
  }
  /// Lane i loads at `place` + i * `stride`, as seen from the first one.
  bool load(std::uint32_t array, std::uint64_t place, std::uint32_t stride = 4,
            std::uint32_t warp = 0, std::uint32_t lanes = ~0u) {
    LaneShape shape;
    shape.mask = lanes;
    for (std::uint32_t i = 0; i < 32; ++i) {
      shape.relative[i] = stride * (i - static_cast<std::uint32_t>(std::countr_zero(lanes)));
    }
    places.emplace_back(shape, 4);
    const Epoch epoch = Epoch::of(order.warp(warp).now, 1, warp, 0);
    return lines.keep(order, epoch, start_of(array) + place, places.back(), array);
  }
  bool store(std::uint32_t array, std::uint64_t place, std::uint32_t stride = 4,
             std::uint32_t warp = 0, std::uint32_t lanes = ~0u, std::uint32_t width = 4) {
    LaneShape shape;
    for (std::uint32_t i = 0; i < 32; ++i) {
      shape.relative[i] = stride * (i - static_cast<std::uint32_t>(std::countr_zero(lanes)));
    }
    WarpAccess access;
    access.epoch = Epoch::of(order.warp(warp).now, 2, warp, kWriteAccess);
    access.lanes = lanes;
    access.width = width;
    access.first = start_of(array) + place;
    const StorePlaces how{.is_row = stride == width, .shape = &shape};
    return lines.keep_store(order, access, how, array);
  }
  /// Whether nothing of the first array got lines.
  bool keeps_all() { return lines.take({}).empty() && lines.take_stores({}).regions == 1; }
};

}  // namespace

TEST_CASE("stores are kept until a word has another thread", "[races][unit]") {
  Block block;
  SECTION("of rows") {
    CHECK(block.store(0, 0));
    CHECK(block.store(0, 128, 4, 0, 0xffff));
    CHECK(block.store(0, 128 + 64, 4, 0, 0xffff0000));
    CHECK(block.store(0, 128, 4, 0, 0xff));
    CHECK(block.keeps_all());
  }
  SECTION("of rows, by another lane") {
    CHECK(block.store(0, 0));
    CHECK(!block.store(0, 4, 4, 0, 0xffff));
  }
  SECTION("of rows, by another warp") {
    CHECK(block.store(0, 0));
    CHECK(block.store(0, 128, 4, 1));
    CHECK(!block.store(0, 4 * 31, 4, 1, 1u << 31));
  }
  SECTION("of lanes with holes") {
    CHECK(block.store(0, 0, 4, 0, 0xff00ff));
    CHECK(block.store(0, 4 * 8, 4, 0, 0xff00));
    CHECK(block.store(0, 4 * 24, 4, 1, 0xff));
    CHECK(!block.store(0, 4 * 16, 4, 1, 1));
  }
  SECTION("of columns") {
    for (std::uint64_t column = 0; column < 8; ++column) CHECK(block.store(0, 4 * column, 512));
    CHECK(block.store(0, 4 * 8, 512, 1));
    CHECK(block.keeps_all());
  }
  SECTION("of columns that meet in one word") {
    CHECK(block.store(0, 0, 512));
    CHECK(block.store(0, 32 * 512, 512, 1));
    CHECK(!block.store(0, 31 * 512, 512, 1));
  }
  SECTION("of all lanes to one word") {
    CHECK(!block.store(0, 0, 0));
  }
  SECTION("of an array that was accessed in another way") {
    CHECK(block.store(0, 0));
    block.lines.open(0);
    CHECK(!block.store(0, 1024));
    CHECK(block.store(1, 0));
  }
}

TEST_CASE("what its own thread loads and stores is kept", "[races][unit]") {
  const bool expected = GENERATE(false, true);
  Block block(0, expected ? 1 : 0);
  SECTION("members of structures") {
    CHECK(block.load(0, 0, 24));
    CHECK(block.load(0, 16, 24));
    CHECK(block.store(0, 16, 24));
    CHECK(block.store(0, std::uint64_t{4} * 24, 24, 0, 0xf0f0f0f0));
    CHECK(block.load(0, 16, 24));
    CHECK(block.load(0, 32 * 24, 24, 1));
    CHECK(block.keeps_all());
  }
  SECTION("another thread's member that it has stored") {
    CHECK(block.store(0, 8, 24));
    CHECK(!block.load(0, 32, 24, 0, 1));
  }
  SECTION("another thread's member that it has loaded") {
    CHECK(block.load(0, 8, 24));
    CHECK(block.load(0, 32, 24, 0, 1));
    CHECK(block.store(0, 16, 24));
    CHECK(!block.store(0, 32, 24, 0, 2));
  }
  SECTION("what all load and nobody stores") {
    CHECK(block.load(0, 0, 0));
    CHECK(block.load(0, 0, 4, 1));
    CHECK(block.store(0, 128));
    CHECK(block.load(0, 64, 0));
    CHECK(block.keeps_all());
  }
  SECTION("what all load and one stores") {
    CHECK(block.load(0, 0, 0));
    CHECK(!block.store(0, 0, 4, 0, 1));
  }
  SECTION("after a barrier, too") {
    CHECK(block.store(0, 0));
    block.order.barrier();
    CHECK(!block.load(0, 0, 0));
  }
}

TEST_CASE("blocks that share a word to which one stores meet in it", "[races][unit]") {
  const auto mark = [](StoresOfBlocks& blocks, Block& block) {
    (void)block.lines.take({});
    const KeptStores kept = block.lines.take_stores({});
    const RegionSet met = blocks.mark(kept.lines, ~RegionSet{0});
    blocks.add(kept);
    return met;
  };
  StoresOfBlocks blocks;
  Block first(0);
  CHECK(first.store(0, 0, 512));
  CHECK(first.load(0, 64, 512));
  CHECK(mark(blocks, first) == 0);
  CHECK(blocks.regions() == 1);
  CHECK(blocks.bytes() >= sizeof(KeptStore) + sizeof(ScatteredStore) + 128);
  Block second(1);
  CHECK(second.store(0, 4, 512));
  CHECK(second.load(0, 64, 512));
  CHECK(mark(blocks, second) == 0);
  SECTION("a store to what was stored") {
    Block third(2);
    CHECK(third.store(0, 4 + 512, 1024, 0, 1));
    CHECK(mark(blocks, third) == 1);
  }
  SECTION("a store to what was loaded") {
    Block third(2);
    CHECK(third.store(0, 64, 4, 0, 1));
    CHECK(mark(blocks, third) == 1);
  }
  SECTION("a load of what was stored") {
    Block third(2, 1);
    CHECK(third.load(0, 4, 4, 0, 1));
    CHECK(mark(blocks, third) == 1);
  }
  SECTION("a load of what was loaded") {
    Block third(2, 1);
    CHECK(third.load(0, 64, 4, 0, 1));
    CHECK(mark(blocks, third) == 0);
  }
  SECTION("they come back in their order") {
    std::size_t at = 0;
    KeptStores stores;
    CHECK(blocks.next(at, 0, 1, stores));
    CHECK(stores.block == 0);
    CHECK(!blocks.next(at, 0, 1, stores));
    REQUIRE(blocks.next(at, 5, 1, stores));
    CHECK(stores.block == 1);
    REQUIRE(stores.scattered.size() == 1);
    std::uint64_t address[32];
    stores.scattered[0].spread(stores.words, address);
    CHECK(address[2] == start_of(0) + 4 + 1024);
    CHECK(!blocks.next(at, 5, 1, stores));
    blocks.drop(1);
    CHECK(blocks.regions() == 0);
    CHECK(blocks.bytes() == 0);
  }
}

TEST_CASE("words of a block stay marked when the stores of another array are dropped",
          "[races][unit]") {
  StoresOfBlocks blocks;
  Block first(0);
  CHECK(first.store(0, 0));
  const KeptStores kept = first.lines.take_stores({});
  CHECK(blocks.mark(kept.lines, 1) == 0);
  blocks.add(kept);
  Block second(1);
  CHECK(second.store(0, 0));
  CHECK(second.store(1, 0));
  CHECK(blocks.mark(second.lines.take_stores({}).lines, 3) == 1);
  blocks.drop(1);
  Block third(2);
  CHECK(third.store(1, 0));
  CHECK(blocks.mark(third.lines.take_stores({}).lines, 2) == 2);
}

TEST_CASE("stores of more than a line are kept as one part for each line", "[races][unit]") {
  Block block;
  const auto store = [&](std::uint32_t width, std::uint64_t place) {
    return block.store(0, place, width, 0, ~0u, width);
  };
  CHECK(store(16, 0));
  CHECK(store(4, 512 + 36));
  CHECK(store(1, 1024));
  const KeptStores kept = block.lines.take_stores({});
  REQUIRE(kept.list.size() == 7);
  CHECK(kept.list[1].first == 8);
  CHECK(kept.list[1].last == 15);
  REQUIRE(kept.lines.size() == 7);
  CHECK(kept.lines[4].written == 0xfffffe00);
  CHECK(kept.lines[5].written == 0x1ff);
  CHECK(kept.lines[6].written == 0xff);
  CHECK(kept.lines[6].read == 0);
}

TEST_CASE("a store of half a word at an end of its row is not kept", "[races][unit]") {
  Block block;
  CHECK(!block.store(0, 34, 1, 0, ~0u, 1));
  Block other;
  CHECK(!other.store(0, 2, 4, 0, ~0u, 4));
}

TEST_CASE("bytes of a word belong to the lanes that have it as a row", "[races][unit]") {
  WordOwners owners;
  const WordOwners::Access load{0, 0, 1, false};
  const WordOwners::Access store{0, 0, 1, true};
  CHECK(owners.add_row(load, 0, 0x10000, 0x10020));
  CHECK(owners.add_row(store, 0, 0x10000, 0x10020));
  CHECK(owners.add_row(store, 4, 0x10004, 0x10008));
  SECTION("and not to others") {
    CHECK(!owners.add_row(store, 0, 0x10004, 0x10008));
  }
  SECTION("nor to one of them") {
    const WordOwners::Access word{0, 0, 4, true};
    CHECK(!owners.add_row(word, 0, 0x10000, 0x10004));
  }
  SECTION("nor to lanes with two bytes each") {
    const WordOwners::Access half{0, 0, 2, false};
    CHECK(!owners.add_row(half, 0, 0x10000, 0x10004));
  }
}

TEST_CASE("words of rows keep their threads when other lanes come to their line", "[races][unit]") {
  const bool writes = GENERATE(false, true);
  const std::uint32_t width = GENERATE(4u, 8u, 16u);
  WordOwners owners;
  const auto row = [&](std::uint32_t lane, std::uint64_t begin, std::uint64_t end) {
    return owners.add_row({1, 0, width, writes}, lane, 0x10000 + begin, 0x10000 + end);
  };
  // Two parts of one row, and a part of another one in the same line.
  CHECK(row(2, 2 * width, 4 * width));
  CHECK(row(4, 4 * width, 5 * width));
  CHECK(row(2, 2 * width, 5 * width));
  CHECK(row(9, 0, width));
  const auto word = [&](std::uint32_t lane, std::uint64_t place) {
    std::uint64_t address[32] = {};
    address[lane] = 0x10000 + place;
    return owners.add_lanes({1, 0, 4, true}, std::uint32_t{1} << lane, address);
  };
  CHECK(word(9, width - 4));
  CHECK(word(2, 2 * width));
  CHECK(word(3, 4 * width - 4));
  CHECK(word(4, 4 * width));
  CHECK(word(7, width));  // between the rows
  SECTION("not the lane before") {
    CHECK(!word(3, 4 * width));
  }
  SECTION("not the lane after") {
    CHECK(!word(4, 4 * width - 4));
  }
  std::vector<OwnedLine> lines;
  owners.lines(1, lines);
  REQUIRE(lines.size() == 1);
  CHECK(((lines[0].read | lines[0].written) >> (5 * width / 4)) == 0);
}
