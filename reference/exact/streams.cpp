#include "labs/streams/streams.h"

#include <algorithm>

#include "reference/exact/exact.h"

/// Whole numbers, in shapes of one chunk and of several.
int main() {
  const std::pair<int, int> shapes[] = {{0, 4},   {1, 1},      {20, 64},
                                        {257, 8}, {262145, 5}, {600011, 3}};
  for (const auto& [n, taps] : shapes) {
    const auto in = exact::numbers(n, 100, 1), weights = exact::numbers(taps, 10, 2);
    std::vector<float> got(n), want(n);
    for (int i = 0; i < n; ++i) {
      for (int t = 0; t < std::min(taps, i + 1); ++t) want[i] += weights[t] * in[i - t];
    }
    filter(in.data(), weights.data(), got.data(), n, taps);
    exact::require_equal(got, want,
                         std::to_string(n) + " values, " + std::to_string(taps) + " weights");
  }
}
