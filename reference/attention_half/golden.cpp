#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "harness/golden/golden.h"

using warpgrade::Float16;

namespace {

/// Errors of one weight and what it is summed up with, besides those of its score, in roundings to
/// float: one is to half precision. See "attention_half" in docs/tolerance.md.
double roundings(std::size_t keys) {
  return 8.0 * static_cast<double>(keys) + 400 + 8192;
}

std::vector<double> doubles(std::span<const Float16> values) {
  return {values.begin(), values.end()};
}

}  // namespace

/// Three steps for each query, in float64. The condition is in units of one rounding: `terms` is 1.
///
/// The innermost loops are over keys, of transposed K, and over columns only because they are
/// faster so; each sum adds up in order of its index.
WARPGRADE_GOLDEN(call) {
  const auto q = doubles(call.input<Float16>("q"));
  const auto k = doubles(call.input<Float16>("k"));
  const auto v = doubles(call.input<Float16>("v"));
  const auto out = call.floats("out");
  const auto heads = static_cast<std::size_t>(call.dim("heads"));
  const auto n = static_cast<std::size_t>(call.dim("n"));
  const auto depth = static_cast<std::size_t>(call.dim("depth"));
  const bool causal = call.dim("causal") != 0;
  const double scale = static_cast<double>(call.dim("scale_64ths")) / 64;

  std::vector<double> transposed(depth * n);  // K of a head
  std::vector<double> weight(n);
  std::vector<double> size(n);  // of a score's summands
  for (std::size_t row = 0; row < heads * n; ++row) {
    const std::size_t first = row / n * n;  // of this head
    if (row == first) {
      for (std::size_t i = 0; i < n * depth; ++i) {
        transposed[i % depth * n + i / depth] = k[first * depth + i];
      }
    }
    const std::size_t keys = causal ? row % n + 1 : n;
    for (std::size_t j = 0; j < keys; ++j) weight[j] = size[j] = 0;
    for (std::size_t c = 0; c < depth; ++c) {
      const double query = scale * q[row * depth + c];
      const double* const of_keys = &transposed[c * n];
      for (std::size_t j = 0; j < keys; ++j) {
        const double product = query * of_keys[j];
        weight[j] += product;
        size[j] += std::abs(product);
      }
    }
    const double largest =
        *std::max_element(weight.begin(), weight.begin() + static_cast<std::ptrdiff_t>(keys));
    double sum = 0;
    for (std::size_t j = 0; j < keys; ++j) {
      weight[j] = std::exp(weight[j] - largest);
      sum += weight[j];
    }
    double* const want = &out.want[row * depth];
    double* const condition = &out.condition[row * depth];
    for (std::size_t c = 0; c < depth; ++c) want[c] = condition[c] = 0;
    double shares = 0;
    for (std::size_t j = 0; j < keys; ++j) {
      const double part = weight[j] / sum;
      // Below half's normal range a weight is off by up to 2^-25.
      const double share =
          part * (roundings(keys) + (2 * static_cast<double>(depth) + 12) * size[j]) + 0.5;
      shares += share;
      const double* const values = &v[(first + j) * depth];
      for (std::size_t c = 0; c < depth; ++c) {
        want[c] += part * values[c];
        condition[c] += share * std::abs(values[c]);
      }
    }
    for (std::size_t c = 0; c < depth; ++c) {
      condition[c] += shares * std::abs(want[c]);
      if (!std::isfinite(condition[c])) condition[c] = 0;
    }
  }
}
