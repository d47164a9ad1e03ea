#include "harness/golden/golden.h"

#include <cmath>

WARPGRADE_GOLDEN(call) {
  const auto in = call.input<float>("in");
  const auto out = call.floats("out");
  for (std::size_t i = 0; i < in.size(); ++i) {
    out.want[i] = 3.0 * in[i];
    out.condition[i] = std::abs(out.want[i]);
  }
}
