#include "harness/golden/golden.h"

#include <cmath>
#include <vector>

WARPGRADE_GOLDEN(call) {
  const auto rows = call.input<float>("rows");
  const auto result = call.floats("result");
  const auto n = static_cast<std::size_t>(call.dim("n"));
  const auto m = static_cast<std::size_t>(call.dim("m"));
  std::vector<double> normal(rows.begin(), rows.end());
  for (std::size_t i = 0; i < n; ++i) {
    double mean = 0;
    for (std::size_t k = 0; k < m; ++k) mean += normal[i * m + k] / static_cast<double>(m);
    double squares = 0;
    for (std::size_t k = 0; k < m; ++k) {
      normal[i * m + k] -= mean;
      squares += normal[i * m + k] * normal[i * m + k];
    }
    for (std::size_t k = 0; k < m; ++k) normal[i * m + k] /= std::sqrt(squares);
  }
  for (std::size_t i = 0; i < n * n; ++i) {
    double sum = 0;
    double condition = 0;
    for (std::size_t k = 0; k < m; ++k) {
      const double product = normal[i / n * m + k] * normal[i % n * m + k];
      sum += product;
      condition += std::abs(product);
    }
    result.want[i] = sum;
    result.condition[i] = condition;
  }
}
