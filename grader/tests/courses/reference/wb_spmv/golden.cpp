#include <cmath>

#include "harness/golden/golden.h"

WARPGRADE_GOLDEN(call) {
  const auto columns = call.input<std::int32_t>("columns");
  const auto rows = call.input<std::int32_t>("rows");
  const auto data = call.input<float>("data");
  const auto vector = call.input<float>("vector");
  const auto product = call.floats("product");
  for (std::size_t row = 0; row < product.want.size(); ++row) {
    double sum = 0;
    double size = 0;
    for (auto k = static_cast<std::size_t>(rows[row]); k < static_cast<std::size_t>(rows[row + 1]);
         ++k) {
      const double term = double(data[k]) * double(vector[static_cast<std::size_t>(columns[k])]);
      sum += term;
      size += std::abs(term);
    }
    product.want[row] = sum;
    product.condition[row] = size;
  }
}
