#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpgrade {

/// The `q` quantile of the samples, by linear interpolation between order statistics.
///
/// @param samples  in any order, at least one
/// @param q        0 (the smallest) to 1 (the largest)
/// @throws std::invalid_argument  if there are no samples
[[nodiscard]] double quantile(std::vector<double> samples, double q);

/// Summary of repeated measurements. Times are never averaged, because one interruption shifts the
/// mean but not the median.
struct Summary {
  std::size_t samples = 0;
  double median = 0;
  double smallest = 0;
  double spread = 0;  // interquartile range over the median
};

/// @throws std::invalid_argument  if there are no samples
[[nodiscard]] Summary summarise(const std::vector<double>& samples);

/// A confidence interval.
struct Interval {
  double low = 0;
  double high = 0;
};

/// 95 % confidence interval of the ratio median(over) / median(under), by the percentile bootstrap.
/// @param draws  number of resamples; the same samples and seed give the same interval
/// @throws std::invalid_argument  if one of the two has no samples
/// @source B. Efron, R. Tibshirani, An Introduction to the Bootstrap, chapter 13 (percentiles)
[[nodiscard]] Interval bootstrap_ratio(const std::vector<double>& over,
                                       const std::vector<double>& under, std::size_t draws = 2000,
                                       std::uint64_t seed = 1);

/// Two consecutive timed calls, in milliseconds.
struct TimedPair {
  double submission_ms = 0;
  double reference_ms = 0;
  /// The pair of processes: rounds differ systematically.
  std::size_t round = 0;
};

/// Estimate of the ratio of two programs' times from pairs.
struct RatioEstimate {
  double submission_ms = 0;  // medians of all calls
  double reference_ms = 0;
  /// The median of the pairs' ratios over all rounds. Disturbances that affect both calls of a
  /// pair, or all calls of a round, cancel. It is close to, but not equal to, the ratio of the two
  /// medians.
  double ratio = 0;
  /// 95 % confidence interval by the bootstrap: rounds are resampled, and pairs within them.
  Interval interval;

  [[nodiscard]] double width() const { return (interval.high - interval.low) / ratio; }
};

/// Deterministic: the same pairs give the same estimate.
/// @param pairs  at least one; all times above 0
/// @throws std::invalid_argument  if there are no pairs
/// @source B. Efron, R. Tibshirani, An Introduction to the Bootstrap, chapters 8 and 13
[[nodiscard]] RatioEstimate estimate_ratio(std::span<const TimedPair> pairs);

}  // namespace warpgrade
