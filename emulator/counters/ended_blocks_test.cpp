#include "emulator/counters/ended_blocks.h"

#include <catch2/catch_test_macros.hpp>

#include <string>

using warpsim::EndedBlocks;

TEST_CASE("what blocks leave is taken in the order of the blocks", "[counters][unit]") {
  EndedBlocks<std::string> ended;
  ended.add(2, "two");
  CHECK_FALSE(ended.has_first());
  CHECK(ended.size() == 1);
  CHECK(ended.size_before(2) == 0);
  CHECK(ended.size_before(100) == 1);

  ended.add(0, "zero");
  REQUIRE(ended.has_first());
  CHECK(ended.take_first() == "zero");
  CHECK(ended.first() == 1);
  CHECK_FALSE(ended.has_first());

  ended.add(1, "one");
  CHECK(ended.size_before(2) == 1);
  CHECK(ended.take_first() == "one");
  CHECK(ended.take_first() == "two");
  CHECK(ended.size() == 0);
}

TEST_CASE("a block that left nothing can be passed over", "[counters][unit]") {
  EndedBlocks<int> ended;
  ended.add(1, 10);
  CHECK_FALSE(ended.take_first().has_value());
  CHECK(ended.take_first() == 10);
  CHECK_FALSE(ended.take_first().has_value());
  CHECK(ended.first() == 3);
}
