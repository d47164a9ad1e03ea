#include "harness/golden/golden.h"

#include <algorithm>
#include <cmath>
#include <limits>

/// From left to right, in float64. Sums of floats err by 2^-29 of the bound, products likewise.
/// A minimum or maximum is one of the values and never rounded: its condition is 0.
WARPGRADE_GOLDEN(call) {
  const auto values = call.input<float>("values");
  const auto result = call.floats("result");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  enum { sum, min, max, product };

  double want = 0;
  double condition = 0;
  switch (call.dim("op")) {
    case sum:
      for (const float value : values) {
        want += value;
        condition += std::abs(static_cast<double>(value));
      }
      break;
    case min:
      want = kInfinity;
      for (const float value : values) want = std::min(want, static_cast<double>(value));
      break;
    case max:
      want = -kInfinity;
      for (const float value : values) want = std::max(want, static_cast<double>(value));
      break;
    case product:
      want = 1;
      for (const float value : values) want *= value;
      condition = std::abs(want);
      break;
  }
  result.want[0] = want;
  result.condition[0] = condition;
}
