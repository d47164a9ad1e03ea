#include "harness/golden/golden.h"

#include <cmath>
#include <cstddef>

/// One subtraction, rounded once; the first element is a copy.
WARPGRADE_GOLDEN(call) {
  const auto values = call.input<float>("values");
  const auto result = call.floats("result");
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double want = i == 0 ? values[0] : static_cast<double>(values[i]) - values[i - 1];
    result.want[i] = want;
    result.condition[i] = i > 0 && std::isfinite(want) ? std::abs(want) : 0;
  }
}
