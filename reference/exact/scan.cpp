#include "labs/scan/scan.h"

#include "reference/exact/exact.h"

int main() {
  for (const int n : {0, 1, 33, 1025, 70001}) {
    for (const int exclusive : {0, 1}) {
      const auto values = exact::numbers(static_cast<std::size_t>(n), 100, 1);
      std::vector<float> want;
      float sum = 0;
      for (const float x : values) {
        want.push_back(exclusive != 0 ? sum : sum + x);
        sum += x;
      }
      exact::Device<float> device_values(values), sums(std::vector<float>(values.size(), 7));
      scan(device_values.get(), sums.get(), n, exclusive);
      exact::require_equal(sums.download(), want,
                           "n = " + std::to_string(n) + (exclusive != 0 ? ", exclusive" : ""));
    }
  }
}
