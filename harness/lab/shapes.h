#pragma once

#include <cstdint>
#include <vector>

#include "harness/lab/lab.h"

namespace warpgrade {

/// A formula over dims.
/// @throws LabError  if it divides by zero or a name is not a dim
[[nodiscard]] double evaluate(const Lab& lab, const Expression& formula, const Dims& dims);

/// Extents of an array parameter.
/// @throws LabError  if one is negative or fractional, or all exceed 2^40 elements together
[[nodiscard]] std::vector<std::uint64_t> shape_of(const Lab& lab, const Parameter& parameter,
                                                  const Dims& dims);

/// Extents of a sparse matrix.
/// @throws LabError  as shape_of
[[nodiscard]] SparseExtents extents_of(const Lab& lab, const SparseMatrix& matrix,
                                       const Dims& dims);

/// Bytes of all arrays together: the minimum traffic of a program that accesses each element once.
/// @throws LabError  as shape_of
[[nodiscard]] std::uint64_t bytes_of_arrays(const Lab& lab, const Dims& dims);

}  // namespace warpgrade
