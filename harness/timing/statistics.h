#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpgrade {

/// The value that a share `q` of the samples is not above, between neighbours by interpolation.
///
/// @param samples  in any order, at least one
/// @param q        0 (the smallest) to 1 (the largest)
/// @throws std::invalid_argument  if there are no samples
[[nodiscard]] double quantile(std::vector<double> samples, double q);

/// What repeated measurements of one thing say. Times are never averaged: one interruption would
/// move the mean, and moves the median not at all.
struct Summary {
  std::size_t samples = 0;
  double median = 0;
  double smallest = 0;
  double spread = 0;  // of the middle half, as a part of the median
};

/// @throws std::invalid_argument  if there are no samples
[[nodiscard]] Summary summarise(const std::vector<double>& samples);

/// Between which two numbers something lies.
struct Interval {
  double low = 0;
  double high = 0;
};

/// How far the ratio median(over) / median(under) can be trusted: 95 % of the ratios that come out
/// when both are drawn again from themselves, with repetition, lie inside.
///
/// @param draws  how often; the same samples and seed give the same interval
/// @throws std::invalid_argument  if one of the two has no samples
/// @source B. Efron, R. Tibshirani, An Introduction to the Bootstrap, chapter 13 (percentiles)
[[nodiscard]] Interval bootstrap_ratio(const std::vector<double>& over,
                                       const std::vector<double>& under, std::size_t draws = 2000,
                                       std::uint64_t seed = 1);

}  // namespace warpgrade
