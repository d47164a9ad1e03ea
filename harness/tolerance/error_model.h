#pragma once

#include <cstdint>

#include "harness/data/element_type.h"

namespace warpgrade {

/// The precision of arithmetic. tf32, bf16 and f16: inputs are rounded once, as for tensor cores,
/// products are exact and sums are in f32. f16_sums and bf16_sums: every result is rounded to the
/// type.
enum class Precision : std::uint8_t { f32, f64, tf32, bf16, f16, f16_sums, bf16_sums };

/// Half the distance from 1 to the next number, for sums: 2^-53 for f64, 2^-11 for f16_sums, 2^-8
/// for bf16_sums, 2^-24 for the others.
[[nodiscard]] double unit_roundoff(Precision precision);

/// The largest relative error of `terms` roundings in a row: k u / (1 - k u).
/// @throws std::domain_error  if k u >= 1, for which the model is invalid
/// @source N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1
[[nodiscard]] double gamma_bound(double terms, Precision precision);

/// The largest relative error of a sum of `terms` products: gamma_bound for f32, f64 and sums in
/// f16 or bf16. For tf32, bf16 and f16 the error of rounding both factors is added, and the
/// roundings are doubled, because tensor cores truncate sums.
[[nodiscard]] double product_sum_bound(double terms, Precision precision);

/// The error of `terms` operations below the normal range: half the smallest subnormal each.
[[nodiscard]] double underflow_bound(double terms, Precision precision);

/// The relative error of storing a float32 result in `type`: 2^-11 for f16, 2^-8 for bf16, 0 for
/// types that hold it.
[[nodiscard]] double storage_roundoff(ElementType type);
/// The absolute error below the type's normal range, where storing rounds to a multiple of its
/// smallest subnormal.
[[nodiscard]] double storage_underflow(ElementType type);

/// The smallest number that rounds to infinity in `type`; infinite for f64.
[[nodiscard]] double overflow_threshold(ElementType type);

}  // namespace warpgrade
