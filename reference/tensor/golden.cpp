#include "harness/golden/golden.h"

#include <cmath>
#include <cstddef>

using warpgrade::BFloat16;

/// Each product of two bfloat16 has 16 bits and is exact in double, and the sum of k of them is off
/// by at most k * 2^-53 of the condition. The condition is the sum of the absolute products, so a
/// kernel may add them in any order; the harness adds what rounding to bfloat16 may change.
///
/// The loop over columns is the innermost one only because rows of B are read faster than columns;
/// each element adds up its products in order of the inner index.
WARPGRADE_GOLDEN(call) {
  const auto a = call.input<BFloat16>("a");
  const auto b = call.input<BFloat16>("b");
  const auto c = call.floats("c");
  const auto m = static_cast<std::size_t>(call.dim("m"));
  const auto n = static_cast<std::size_t>(call.dim("n"));
  const auto k = static_cast<std::size_t>(call.dim("k"));
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) c.want[i * n + j] = c.condition[i * n + j] = 0;
    for (std::size_t inner = 0; inner < k; ++inner) {
      for (std::size_t j = 0; j < n; ++j) {
        const double product =
            static_cast<double>(a[i * k + inner]) * static_cast<double>(b[inner * n + j]);
        c.want[i * n + j] += product;
        c.condition[i * n + j] += std::abs(product);
      }
    }
    for (std::size_t j = 0; j < n; ++j) {
      if (!std::isfinite(c.want[i * n + j])) c.condition[i * n + j] = 0;
    }
  }
}
