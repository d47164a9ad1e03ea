#include "harness/golden/golden.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

/// The peak is one of the samples, so it is exact; the division is rounded once.
WARPGRADE_GOLDEN(call) {
  const auto samples = call.input<float>("samples");
  const auto result = call.floats("result");
  double peak = 0;
  for (const float sample : samples) peak = std::max(peak, std::abs(double{sample}));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double want = peak == 0 ? 0 : samples[i] / peak;
    result.want[i] = want;
    result.condition[i] = std::isfinite(want) ? std::abs(want) : 0;
  }
}
