#include "harness/golden/golden.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

/// Row by row, in float64. The condition is the result itself: every step has a relative error.
WARPGRADE_GOLDEN(call) {
  const auto in = call.input<float>("in");
  const auto out = call.floats("out");
  const auto rows = static_cast<std::size_t>(call.dim("rows"));
  const auto columns = static_cast<std::size_t>(call.dim("columns"));
  for (std::size_t i = 0; i < rows; ++i) {
    const auto row = in.subspan(i * columns, columns);
    double largest = -std::numeric_limits<double>::infinity();
    for (const float value : row) largest = std::max(largest, static_cast<double>(value));
    double sum = 0;
    for (const float value : row) sum += std::exp(value - largest);
    for (std::size_t j = 0; j < columns; ++j) {
      const double want = std::exp(row[j] - largest) / sum;
      out.want[i * columns + j] = want;
      out.condition[i * columns + j] = std::isnan(want) ? 0 : want;
    }
  }
}
