#include "harness/golden/golden.h"

WARPGRADE_GOLDEN(call) {
  const auto x = call.input<float>("x");
  const auto count = call.integers("count");
  const auto marks = call.integers("marks");
  const auto low = static_cast<double>(call.dim("low"));
  const auto is_between = [&](float value) {
    return value + 2 >= static_cast<float>(-low / 4) && value + 2 <= 3 * low;
  };
  // One of the two is empty in cases that call the other's function.
  for (std::size_t i = 0; i < marks.size(); ++i) marks[i] = is_between(x[i]);
  if (!count.empty()) count[0] = 0;
  for (std::size_t i = 0; i < x.size() && !count.empty(); ++i) count[0] += is_between(x[i]);
}
