#pragma once

#include <cstdint>

#include "harness/data/element_type.h"

namespace warpgrade {

/// The precision of arithmetic. tf32 and bf16: inputs are rounded once, as for tensor cores,
/// products are exact and sums are in f32.
enum class Precision : std::uint8_t { f32, f64, tf32, bf16 };

/// Half the distance from 1 to the next number, for sums: 2^-53 for f64, 2^-24 for the others.
[[nodiscard]] double unit_roundoff(Precision precision);

/// The largest relative error of `terms` roundings in a row: k u / (1 - k u).
/// @throws std::domain_error  if k u >= 1, for which the model is invalid
/// @source N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1
[[nodiscard]] double gamma_bound(double terms, Precision precision);

/// The largest relative error of a sum of `terms` products: gamma_bound for f32 and f64. For tf32
/// and bf16 the error of rounding both factors is added, and the roundings are doubled, because
/// tensor cores truncate sums.
[[nodiscard]] double product_sum_bound(double terms, Precision precision);

/// The error of `terms` operations below the normal range: half the smallest subnormal each.
[[nodiscard]] double underflow_bound(double terms, Precision precision);

/// The smallest number that rounds to infinity in `type`; infinite for f64.
[[nodiscard]] double overflow_threshold(ElementType type);

}  // namespace warpgrade
