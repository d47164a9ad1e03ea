#pragma once

#include <cstdint>
#include <vector>

#include "harness/data/array.h"
#include "harness/data/expected.h"

namespace warpgrade {

/// Rearranges expected values for an output whose order is free. Within each group, every unit of
/// `got` gets an expected unit that it matches, as many as possible if units are single elements;
/// the others are paired in order. An output is right if every element matches the result.
///
/// Single elements are matched optimally: values in ascending order, each with the open interval
/// that ends first. Rows are matched in ascending order of their values, which is optimal for
/// integers; for floats two rows that differ by less than their bounds could be confused, and so a
/// row takes any matching one whose first value is near.
///
/// @param length  elements of a unit: 1, or those of a row
/// @param groups  first unit of each group and the end of the last one, ascending; units outside
///                stay where they are
[[nodiscard]] Expected align(const Array& got, const Expected& want, std::uint64_t length,
                             const std::vector<std::uint64_t>& groups);

}  // namespace warpgrade
