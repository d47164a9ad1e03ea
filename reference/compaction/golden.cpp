#include "harness/golden/golden.h"

#include <cstddef>
#include <cstdint>

/// One value after the other, then zeros.
WARPGRADE_GOLDEN(call) {
  const auto values = call.input<std::int32_t>("values");
  const auto kept = call.integers("kept");
  const auto count = call.integers("count");
  std::size_t place = 0;
  for (const std::int32_t value : values) {
    if (value > 0) kept[place++] = value;
  }
  count[0] = static_cast<std::int64_t>(place);
  for (; place < kept.size(); ++place) kept[place] = 0;
}
