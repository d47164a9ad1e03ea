#include <cmath>

#include "harness/golden/golden.h"

WARPGRADE_GOLDEN(call) {
  const auto a = call.input<float>("a");
  const auto b = call.input<float>("b");
  const auto sum = call.floats("sum");
  for (std::size_t i = 0; i < sum.want.size(); ++i) {
    sum.want[i] = double(a[i]) + double(b[i]);
    sum.condition[i] = std::abs(sum.want[i]);
  }
}
