#include "harness/golden/golden.h"

#include <algorithm>
#include <cstdint>

WARPGRADE_GOLDEN(call) {
  const auto keys = call.input<std::uint32_t>("keys");
  const auto sorted = call.integers("sorted");
  std::copy(keys.begin(), keys.end(), sorted.begin());
  std::sort(sorted.begin(), sorted.end());
}
