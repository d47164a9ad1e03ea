#pragma once

#include <cstdint>
#include <vector>

#include "harness/lab/lab.h"

namespace warpgrade {

/// A formula over dims.
/// @throws LabError  when it divides by zero or names no dim
[[nodiscard]] double evaluate(const Lab& lab, const Expression& formula, const Dims& dims);

/// Extents of an array parameter.
/// @throws LabError  when one is negative or fractional, or all are beyond 2^40 elements together
[[nodiscard]] std::vector<std::uint64_t> shape_of(const Lab& lab, const Parameter& parameter,
                                                  const Dims& dims);

/// Bytes of all arrays together: the least that a program moves that touches each element once.
/// @throws LabError  as shape_of
[[nodiscard]] std::uint64_t bytes_of_arrays(const Lab& lab, const Dims& dims);

}  // namespace warpgrade
