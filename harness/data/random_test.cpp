#include "harness/data/random.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace warpgrade {

TEST_CASE("siphash agrees with the published test vector", "[data][random]") {
  std::string text;
  for (char c = 0; c < 15; ++c) text.push_back(c);
  CHECK(siphash(0x0706050403020100U, 0x0f0e0d0c0b0a0908U, text) == 0xa129ca6149be45e5U);
}

TEST_CASE("fields are hashed with their boundaries", "[data][random]") {
  CHECK(hash_fields({"ab", "c"}) != hash_fields({"a", "bc"}));
  CHECK(hash_fields({"a", ""}) != hash_fields({"a"}));
}

TEST_CASE("the generator's numbers are SplitMix64's", "[data][random]") {
  const Random random(0);
  CHECK(random.bits(0) == 0xe220a8397b1dcdafU);
  CHECK(random.bits(1) == 0x6e789e6aa1b965f4U);
}

TEST_CASE("uniform numbers stay below 1, not below 0, with the right mean", "[data][random]") {
  const Random random(42);
  double sum = 0;
  for (std::uint64_t i = 0; i < 10000; ++i) {
    const double value = random.uniform(i);
    REQUIRE(value >= 0);
    REQUIRE(value < 1);
    sum += value;
  }
  CHECK(sum / 10000 > 0.49);
  CHECK(sum / 10000 < 0.51);
}

TEST_CASE("below gives every number under the count and no other", "[data][random]") {
  const Random random(7);
  std::uint64_t seen = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    REQUIRE(random.below(i, 14) < 14);
    seen |= std::uint64_t{1} << random.below(i, 14);
  }
  CHECK(seen == (std::uint64_t{1} << 14U) - 1);
}

}  // namespace warpgrade
