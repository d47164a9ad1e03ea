#include "harness/golden/golden.h"

#include <cmath>

WARPGRADE_GOLDEN(call) {
  const auto start = call.input<float>("start");
  const auto rise = call.input<float>("rise");
  const auto state = call.floats("state");
  const auto result = call.floats("result");
  for (std::size_t i = 0; i < start.size(); ++i) {
    state.want[i] = start[i] + static_cast<double>(call.dim("steps")) * rise[i];
    result.want[i] = 2 * state.want[i];
    state.condition[i] = 0;
    result.condition[i] = 0;
  }
}
