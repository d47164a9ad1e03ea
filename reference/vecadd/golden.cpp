#include "harness/golden/golden.h"

#include <cmath>
#include <cstddef>

/// The sum of two floats is exact in double but for sums of numbers far apart, whose error is
/// 2^-29 of the bound. One rounding to float follows, so the condition is |a + b|: a kernel that
/// adds in lower precision, or flushes subnormal results, is outside the bound.
WARPGRADE_GOLDEN(call) {
  const auto a = call.input<float>("a");
  const auto b = call.input<float>("b");
  const auto c = call.floats("c");
  for (std::size_t i = 0; i < c.want.size(); ++i) {
    const double sum = static_cast<double>(a[i]) + static_cast<double>(b[i]);
    c.want[i] = sum;
    c.condition[i] = std::isfinite(sum) ? std::abs(sum) : 0;
  }
}
