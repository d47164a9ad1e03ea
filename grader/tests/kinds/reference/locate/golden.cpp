#include "harness/golden/golden.h"

#include <algorithm>

WARPGRADE_GOLDEN(call) {
  const auto numbers = call.input<int>("numbers");
  const auto asked = call.input<int>("asked");
  const auto where = call.integers("where");
  // Counts, so that it is right for numbers in any order, where a search is not.
  for (std::size_t i = 0; i < asked.size(); ++i) {
    where[i] = std::count_if(numbers.begin(), numbers.end(), [&](int n) { return n < asked[i]; });
  }
}
