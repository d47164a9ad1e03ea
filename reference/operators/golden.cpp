#include "harness/golden/golden.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

/// From left to right.
WARPGRADE_GOLDEN(call) {
  const auto values = call.input<std::uint32_t>("values");
  const auto result = call.integers("result");
  const std::string op = call.setting("op");
  std::uint32_t want = 0;
  if (op == "and" || op == "min") want = std::numeric_limits<std::uint32_t>::max();
  if (op == "all") want = 1;
  for (const std::uint32_t value : values) {
    if (op == "and") want &= value;
    if (op == "or") want |= value;
    if (op == "xor") want ^= value;
    if (op == "min") want = std::min(want, value);
    if (op == "all") want = want != 0 && value != 0 ? 1 : 0;
    if (op == "any") want = want != 0 || value != 0 ? 1 : 0;
    if (op == "last" && value != 0) want = value;
  }
  result[0] = want;
}
