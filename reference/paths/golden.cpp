#include "harness/golden/golden.h"

#include <cstddef>

/// Every step of a curve is a contraction on [0, 1]: errors of the steps add up at most, and are
/// relative to numbers of at most 1.
WARPGRADE_GOLDEN(call) {
  constexpr int kSteps = 16;
  const auto in = call.input<float>("in");
  const auto out = call.floats("out");
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double v = in[i];
    double r = i % 4 == 1 || i % 4 == 3 ? v : 0;
    for (int step = 0; step < kSteps; ++step) {
      switch (i % 4) {
        case 0:
          r += 0.125 * v * (1 - r);
          break;
        case 1:
          r -= 0.0625 * r * r;
          break;
        case 2:
          r = 0.75 * r + 0.25 * v * v;
          break;
        default:
          r += 0.125 * (v - r * r * r);
      }
    }
    out.want[i] = r;
    out.condition[i] = 1;
  }
}
