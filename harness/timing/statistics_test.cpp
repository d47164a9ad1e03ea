#include "harness/timing/statistics.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <random>
#include <stdexcept>

namespace warpgrade {
namespace {

using Catch::Matchers::WithinRel;

std::vector<double> noisy(double centre, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> samples(31);
  for (double& sample : samples) {
    sample = centre * (1 + 0.01 * (static_cast<double>(random() % 1000) / 500 - 1));
  }
  return samples;
}

/// Pairs with a true ratio of 1.5, with 1 % noise each and a common drift.
std::vector<TimedPair> noisy_pairs(std::uint64_t seed, std::size_t rounds) {
  std::vector<TimedPair> pairs;
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::vector<double> submission = noisy(1.5, seed * 100 + 2 * round);
    const std::vector<double> reference = noisy(1, seed * 100 + 2 * round + 1);
    for (std::size_t i = 0; i < submission.size(); ++i) {
      const double drift = 1 + 0.001 * static_cast<double>(i);
      pairs.push_back({.submission_ms = submission[i] * drift,
                       .reference_ms = reference[i] * drift,
                       .round = round});
    }
  }
  return pairs;
}

/// Rounds of processes with constant times and these ratios.
std::vector<TimedPair> rounds_of(const std::vector<double>& ratios) {
  std::vector<TimedPair> pairs;
  for (std::size_t round = 0; round < ratios.size(); ++round) {
    for (int i = 0; i < 5; ++i) {
      pairs.push_back({.submission_ms = ratios[round], .reference_ms = 1, .round = round});
    }
  }
  return pairs;
}

TEST_CASE("a quantile lies between its neighbors", "[harness][timing]") {
  CHECK(quantile({4, 1, 3, 2}, 0) == 1);
  CHECK(quantile({4, 1, 3, 2}, 0.5) == 2.5);
  CHECK(quantile({4, 1, 3, 2}, 1) == 4);
  CHECK(quantile({7}, 0.3) == 7);
  CHECK_THROWS_AS(quantile({}, 0.5), std::invalid_argument);
}

TEST_CASE("one interruption moves neither median nor spread", "[harness][timing]") {
  const Summary quiet = summarise({10, 11, 12, 13, 14});
  const Summary interrupted = summarise({10, 11, 12, 13, 1400});
  CHECK(quiet.median == 12);
  CHECK(quiet.samples == 5);
  CHECK(quiet.smallest == 10);
  CHECK_THAT(quiet.spread, WithinRel(2.0 / 12));
  CHECK(interrupted.median == quiet.median);
  CHECK(interrupted.spread == quiet.spread);
}

TEST_CASE("the interval of a ratio holds the ratio and is as wide as the noise",
          "[harness][timing]") {
  const Interval interval = bootstrap_ratio(noisy(3, 1), noisy(2, 2));
  CHECK(interval.low < 1.5);
  CHECK(interval.high > 1.5);
  CHECK(interval.high - interval.low < 0.03);
  CHECK(interval.high - interval.low > 0.001);
}

TEST_CASE("times that do not vary have an interval of width 0", "[harness][timing]") {
  const Interval interval = bootstrap_ratio({3, 3, 3}, {2, 2, 2});
  CHECK(interval.low == 1.5);
  CHECK(interval.high == 1.5);
}

TEST_CASE("the same samples give the same interval", "[harness][timing]") {
  const Interval one = bootstrap_ratio(noisy(3, 1), noisy(2, 2));
  const Interval two = bootstrap_ratio(noisy(3, 1), noisy(2, 2));
  CHECK(one.low == two.low);
  CHECK(one.high == two.high);
}

TEST_CASE("equal pairs have a ratio with an interval of width 0", "[harness][timing]") {
  const std::vector<TimedPair> pairs(7, {.submission_ms = 3, .reference_ms = 2});
  const RatioEstimate estimate = estimate_ratio(pairs);
  CHECK(estimate.ratio == 1.5);
  CHECK(estimate.interval.low == 1.5);
  CHECK(estimate.interval.high == 1.5);
  CHECK(estimate.width() == 0);
  CHECK_THROWS_AS(estimate_ratio({}), std::invalid_argument);
}

TEST_CASE("one call that was disturbed does not move the ratio", "[harness][timing]") {
  std::vector<TimedPair> pairs(7, {.submission_ms = 3, .reference_ms = 2});
  pairs[2].submission_ms = 300;
  CHECK(estimate_ratio(pairs).ratio == 1.5);
}

TEST_CASE("one unusually fast call does not move the ratio", "[harness][timing]") {
  std::vector<TimedPair> pairs(21, {.submission_ms = 3, .reference_ms = 2});
  pairs[2].submission_ms = 0.1;
  CHECK(estimate_ratio(pairs).ratio == 1.5);
}

TEST_CASE("a disturbance of both calls of a pair does not move the ratio", "[harness][timing]") {
  std::vector<TimedPair> pairs(8, {.submission_ms = 3, .reference_ms = 2});
  for (std::size_t i = 0; i < 4; ++i) pairs[i] = {.submission_ms = 4.5, .reference_ms = 3};
  pairs[4].reference_ms = 3;  // now and then it ends between the two
  const RatioEstimate estimate = estimate_ratio(pairs);
  CHECK(estimate.ratio == 1.5);
  CHECK(estimate.submission_ms == 3.75);
  CHECK(estimate.reference_ms == 3);
}

TEST_CASE("a few processes that are slow throughout do not move the ratio", "[harness][timing]") {
  CHECK(estimate_ratio(rounds_of({4.3, 3.1, 3.1, 3.1, 4.2})).ratio == 3.1);
}

TEST_CASE("the interval is wide until most rounds agree", "[harness][timing]") {
  CHECK(estimate_ratio(rounds_of({3.1, 4.3, 4.3})).width() > 0.2);
  CHECK(estimate_ratio(rounds_of({3.1, 4.3, 3.1, 3.1, 3.1, 3.1, 3.1, 3.1})).width() == 0);
}

TEST_CASE("two measurements of the same programs agree", "[harness][timing]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RatioEstimate estimate = estimate_ratio(noisy_pairs(seed, 3));
    CHECK_THAT(estimate.ratio, WithinRel(1.5, 0.01));
    CHECK(estimate.width() < 0.02);
  }
}

}  // namespace
}  // namespace warpgrade
