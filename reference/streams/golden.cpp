#include "harness/golden/golden.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

/// Each output in float64. The condition is the sum of the terms' absolute values: every product
/// and every sum has a relative error.
WARPGRADE_GOLDEN(call) {
  const auto in = call.input<float>("in");
  const auto weights = call.input<float>("weights");
  const auto out = call.floats("out");
  for (std::size_t i = 0; i < out.want.size(); ++i) {
    double sum = 0;
    double condition = 0;
    for (std::size_t t = 0; t < std::min(weights.size(), i + 1); ++t) {
      const double term = static_cast<double>(weights[t]) * in[i - t];
      sum += term;
      condition += std::abs(term);
    }
    out.want[i] = sum;
    out.condition[i] = std::isfinite(sum) ? condition : 0;
  }
}
