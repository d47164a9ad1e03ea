#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "harness/lab/lab.h"

namespace warpgrade {

/// Two calls that were timed one right after the other, in milliseconds.
struct TimedPair {
  double submission_ms = 0;
  double reference_ms = 0;
  /// Which processes they were: those of another round differ in more than chance.
  std::size_t round = 0;
};

/// What pairs say of the ratio of two programs' times.
struct RatioEstimate {
  double submission_ms = 0;  // medians
  double reference_ms = 0;
  double submission_spread_ms = 0;  // median absolute deviations from them
  double reference_spread_ms = 0;
  double ratio = 0;  // of the medians
  /// The 95 % interval of the ratio: the bootstrap's percentiles, rounds drawn with replacement
  /// and pairs within them.
  /// @source B. Efron, R. Tibshirani, An Introduction to the Bootstrap, section 13.3
  double low = 0;
  double high = 0;
};

/// 0 for no values.
[[nodiscard]] double median(std::vector<double> values);

/// Median absolute deviation from the median; not scaled. 0 for no values.
[[nodiscard]] double spread(std::span<const double> values);

/// Deterministic: the same pairs give the same estimate.
/// @param pairs  at least one; all times above 0
[[nodiscard]] RatioEstimate estimate_ratio(std::span<const TimedPair> pairs);

/// Whether a tier's border lies inside the interval, so that more pairs could decide it.
[[nodiscard]] bool straddles(const RatioEstimate& estimate, std::span<const Tier> tiers);

}  // namespace warpgrade
