#include "grader/timing/statistics.h"

#include <array>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>

#include "harness/data/random.h"

namespace warpgrade {
namespace {

using Catch::Approx;

/// A normal deviate, by Box and Muller.
double normal(const Random& random, std::uint64_t index) {
  const double u = 1 - random.uniform(2 * index);
  const double v = random.uniform(2 * index + 1);
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

/// Pairs of a true ratio 1.5, with 1 % of noise each, and a drift of the clock that both see.
std::vector<TimedPair> noisy_pairs(std::uint64_t seed, std::size_t count) {
  const Random random(seed);
  std::vector<TimedPair> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const double drift = 1 + 0.01 * static_cast<double>(i);
    pairs.push_back({.submission_ms = 1.5 * drift * (1 + 0.01 * normal(random, 2 * i)),
                     .reference_ms = drift * (1 + 0.01 * normal(random, 2 * i + 1))});
  }
  return pairs;
}

TEST_CASE("the median and the spread are those of the textbook", "[timing][statistics]") {
  CHECK(median({}) == 0);
  CHECK(median({3, 1, 2}) == 2);
  CHECK(median({4, 1, 3, 2}) == 2.5);
  CHECK(spread(std::array{1.0, 2.0, 3.0, 4.0, 100.0}) == 1);
  CHECK(spread(std::array{7.0}) == 0);
}

TEST_CASE("equal runs have an interval of no width", "[timing][statistics]") {
  const std::vector<TimedPair> pairs(7, {.submission_ms = 3, .reference_ms = 2});
  const RatioEstimate estimate = estimate_ratio(pairs);
  CHECK(estimate.ratio == 1.5);
  CHECK(estimate.low == 1.5);
  CHECK(estimate.high == 1.5);
  CHECK(estimate.submission_spread_ms == 0);
}

TEST_CASE("one run that was disturbed moves neither the ratio nor the points",
          "[timing][statistics]") {
  std::vector<TimedPair> pairs(7, {.submission_ms = 3, .reference_ms = 2});
  pairs[2].submission_ms = 300;
  CHECK(estimate_ratio(pairs).ratio == 1.5);
}

TEST_CASE("the interval holds the true ratio about as often as it says", "[timing][statistics]") {
  int held = 0;
  double width = 0;
  constexpr int kTrials = 100;
  for (int i = 0; i < kTrials; ++i) {
    const RatioEstimate e = estimate_ratio(noisy_pairs(static_cast<std::uint64_t>(i), 15));
    held += e.low <= 1.5 && 1.5 <= e.high ? 1 : 0;
    width += (e.high - e.low) / 1.5 / kTrials;
  }
  CHECK(held >= 88);
  CHECK(width < 0.08);
}

TEST_CASE("processes that differ widen the interval, however steady each of them is",
          "[timing][statistics]") {
  std::vector<TimedPair> pairs;
  for (std::size_t i = 0; i < 30; ++i) {
    pairs.push_back({.submission_ms = i % 3 == 0 ? 4.3 : 3.1, .reference_ms = 1, .round = i % 3});
  }
  const RatioEstimate estimate = estimate_ratio(pairs);
  CHECK(estimate.ratio == 3.1);
  CHECK(estimate.low == 3.1);
  CHECK(estimate.high == 4.3);
}

TEST_CASE("the same pairs give the same interval", "[timing][statistics]") {
  const std::vector<TimedPair> pairs = noisy_pairs(7, 9);
  CHECK(estimate_ratio(pairs).low == estimate_ratio(pairs).low);
  CHECK(estimate_ratio(pairs).high == estimate_ratio(pairs).high);
}

TEST_CASE("an interval straddles a tier whose border lies inside", "[timing][statistics]") {
  const std::array tiers = {Tier{.ratio = 1.3, .points = 15}, Tier{.ratio = 2, .points = 10}};
  CHECK_FALSE(straddles({.low = 1.1, .high = 1.3}, tiers));
  CHECK(straddles({.low = 1.25, .high = 1.31}, tiers));
  CHECK(straddles({.low = 2.0, .high = 2.01}, tiers));
  CHECK_FALSE(straddles({.low = 2.01, .high = 2.4}, tiers));
}

}  // namespace
}  // namespace warpgrade
