#include "harness/golden/golden.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

/// Row by row, in float64. What is added determines the error: the condition is the sum of the
/// products' magnitudes.
WARPGRADE_GOLDEN(call) {
  const auto row_starts = call.input<std::int32_t>("row_starts");
  const auto columns = call.input<std::int32_t>("columns");
  const auto values = call.input<float>("values");
  const auto x = call.input<float>("x");
  const auto y = call.floats("y");
  for (std::size_t i = 0; i < y.want.size(); ++i) {
    y.want[i] = 0;
    y.condition[i] = 0;
    for (auto k = static_cast<std::size_t>(row_starts[i]);
         k < static_cast<std::size_t>(row_starts[i + 1]); ++k) {
      const double product = double{values[k]} * x[static_cast<std::size_t>(columns[k])];
      y.want[i] += product;
      y.condition[i] += std::abs(product);
    }
  }
}
