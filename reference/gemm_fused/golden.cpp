#include <algorithm>
#include <cmath>
#include <cstddef>

#include "harness/golden/golden.h"

/// Three loops in float64. The condition is what was added, before negative results become 0:
/// max(0, x) changes no error.
WARPGRADE_GOLDEN(call) {
  const auto a = call.input<float>("a");
  const auto b = call.input<float>("b");
  const auto c = call.input<float>("c");
  const auto out = call.floats("out");
  const auto m = static_cast<std::size_t>(call.dim("m"));
  const auto n = static_cast<std::size_t>(call.dim("n"));
  const auto k = static_cast<std::size_t>(call.dim("k"));
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = c[i * n + j];
      double size = std::abs(sum);
      for (std::size_t l = 0; l < k; ++l) {
        const double product = double{a[i * k + l]} * b[j * k + l];
        sum += product;
        size += std::abs(product);
      }
      out.want[i * n + j] = std::max(sum, 0.0);
      out.condition[i * n + j] = size;
    }
  }
}
