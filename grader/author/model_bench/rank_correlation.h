#pragma once

#include <span>

namespace warpgrade {

/// Spearman's rank correlation: 1 for the same order, -1 for the opposite order. Equal values share
/// the mean of their ranks.
/// @param a, b  of the same length; the result is 0 for fewer than two, or if all are equal
[[nodiscard]] double rank_correlation(std::span<const double> a, std::span<const double> b);

}  // namespace warpgrade
