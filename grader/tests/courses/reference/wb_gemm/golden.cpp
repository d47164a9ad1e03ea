#include <cmath>

#include "harness/golden/golden.h"

WARPGRADE_GOLDEN(call) {
  const auto a = call.input<float>("a");
  const auto b = call.input<float>("b");
  const auto c = call.floats("c");
  const auto k = static_cast<std::size_t>(call.dim("k"));
  const auto n = static_cast<std::size_t>(call.dim("n"));
  for (std::size_t i = 0; i < c.want.size(); ++i) {
    double sum = 0;
    double size = 0;
    for (std::size_t l = 0; l < k; ++l) {
      const double product = double(a[i / n * k + l]) * double(b[l * n + i % n]);
      sum += product;
      size += std::abs(product);
    }
    c.want[i] = sum;
    c.condition[i] = size;
  }
}
