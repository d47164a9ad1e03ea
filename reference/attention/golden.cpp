#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "harness/golden/golden.h"

namespace {

/// Roundings of one weight and what it is summed up with, besides those of its score: see
/// "attention" in docs/tolerance.md.
double roundings(std::size_t keys) {
  return 6.0 * static_cast<double>(keys) + 400;
}

}  // namespace

/// Three loops for each query, in float64. The condition is in units of one rounding: `terms` is 1.
WARPGRADE_GOLDEN(call) {
  const auto q = call.input<float>("q");
  const auto k = call.input<float>("k");
  const auto v = call.input<float>("v");
  const auto out = call.floats("out");
  const auto heads = static_cast<std::size_t>(call.dim("heads"));
  const auto n = static_cast<std::size_t>(call.dim("n"));
  const auto depth = static_cast<std::size_t>(call.dim("depth"));
  const bool causal = call.dim("causal") != 0;
  const double scale = static_cast<double>(call.dim("scale_64ths")) / 64;

  std::vector<double> weight(n);
  std::vector<double> size(n);  // of a score's summands
  for (std::size_t row = 0; row < heads * n; ++row) {
    const std::size_t first = row / n * n;  // of this head
    const std::size_t keys = causal ? row % n + 1 : n;
    double largest = -INFINITY;
    for (std::size_t j = 0; j < keys; ++j) {
      weight[j] = size[j] = 0;
      for (std::size_t c = 0; c < depth; ++c) {
        const double product = scale * q[row * depth + c] * k[(first + j) * depth + c];
        weight[j] += product;
        size[j] += std::abs(product);
      }
      largest = std::max(largest, weight[j]);
    }
    double sum = 0;
    for (std::size_t j = 0; j < keys; ++j) {
      weight[j] = std::exp(weight[j] - largest);
      sum += weight[j];
    }
    for (std::size_t c = 0; c < depth; ++c) {
      double& want = out.want[row * depth + c];
      want = 0;
      for (std::size_t j = 0; j < keys; ++j) {
        want += weight[j] / sum * v[(first + j) * depth + c];
      }
      double condition = 0;
      for (std::size_t j = 0; j < keys; ++j) {
        const double of_weight = roundings(keys) + (static_cast<double>(depth) + 4) * size[j];
        // A weight below float's normal range may become 0.
        const double share = weight[j] / sum * of_weight + 0x1p-102;
        condition += share * (std::abs(v[(first + j) * depth + c]) + std::abs(want));
      }
      out.condition[row * depth + c] = std::isfinite(condition) ? condition : 0;
    }
  }
}
