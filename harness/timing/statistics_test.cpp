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

TEST_CASE("a quantile lies between its neighbours", "[harness][timing]") {
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

TEST_CASE("times that do not vary leave no doubt", "[harness][timing]") {
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

}  // namespace
}  // namespace warpgrade
