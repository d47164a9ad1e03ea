#pragma once

#include "harness/data/element_type.h"

namespace warpgrade {

/// Half the distance from 1 to the next number: 2^-24 for f32, 2^-53 for f64.
[[nodiscard]] double unit_roundoff(ElementType type);

/// The largest relative error of `terms` roundings in a row: k u / (1 - k u).
/// @throws std::domain_error  when k u >= 1: the model says nothing about so long a chain
/// @source N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1
[[nodiscard]] double gamma_bound(double terms, ElementType precision);

/// What `terms` operations may add below the normal range: half the smallest subnormal each.
[[nodiscard]] double underflow_bound(double terms, ElementType precision);

/// From here on a number rounds to infinity in `type`; infinite for f64.
[[nodiscard]] double overflow_threshold(ElementType type);

}  // namespace warpgrade
