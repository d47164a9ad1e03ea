#include "harness/golden/golden.h"

#include <cmath>

WARPGRADE_GOLDEN(call) {
  const auto row_starts = call.input<int>("row_starts");
  const auto columns = call.input<int>("columns");
  const auto values = call.input<float>("values");
  const auto x = call.input<float>("x");
  const auto y = call.floats("y");
  for (std::size_t row = 0; row < y.want.size(); ++row) {
    y.condition[row] = 0;
    for (auto k = static_cast<std::size_t>(row_starts[row]);
         k < static_cast<std::size_t>(row_starts[row + 1]); ++k) {
      const double product = double{values[k]} * x[static_cast<std::size_t>(columns[k])];
      y.want[row] += product;
      y.condition[row] += std::abs(product);
    }
  }
}
