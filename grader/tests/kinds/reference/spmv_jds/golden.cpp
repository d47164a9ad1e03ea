#include "harness/golden/golden.h"

#include <cmath>

WARPGRADE_GOLDEN(call) {
  const auto row_order = call.input<int>("row_order");
  const auto row_lengths = call.input<int>("row_lengths");
  const auto starts = call.input<int>("diagonal_starts");
  const auto columns = call.input<int>("columns");
  const auto values = call.input<float>("values");
  const auto x = call.input<float>("x");
  const auto y = call.floats("y");
  for (std::size_t place = 0; place < row_order.size(); ++place) {
    const auto row = static_cast<std::size_t>(row_order[place]);
    y.condition[row] = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(row_lengths[place]); ++k) {
      const std::size_t at = static_cast<std::size_t>(starts[k]) + place;
      const double product = double{values[at]} * x[static_cast<std::size_t>(columns[at])];
      y.want[row] += product;
      y.condition[row] += std::abs(product);
    }
  }
}
