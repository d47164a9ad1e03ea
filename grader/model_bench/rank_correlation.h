#pragma once

#include <span>

namespace warpgrade {

/// Spearman's rank correlation: 1 where both put everything in the same order, -1 in the opposite
/// one. Equal values share the mean of their ranks.
/// @param a, b  of the same length; 0 comes out for fewer than two, or where all are equal
[[nodiscard]] double rank_correlation(std::span<const double> a, std::span<const double> b);

}  // namespace warpgrade
