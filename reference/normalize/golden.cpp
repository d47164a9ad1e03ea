#include "harness/golden/golden.h"

#include <cmath>
#include <cstddef>

/// The terms of the sum are not negative, so its relative error is that of its terms.
WARPGRADE_GOLDEN(call) {
  const auto a = call.input<float>("a");
  const auto b = call.input<float>("b");
  const auto unit = call.floats("unit");
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = double{a[i]} - b[i];
    sum += difference * difference;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    unit.want[i] = sum == 0 ? 0 : (double{a[i]} - b[i]) / std::sqrt(sum);
    unit.condition[i] = std::abs(unit.want[i]);
  }
}
