#include "labs/histogram/histogram.h"

#include "reference/exact/exact.h"

namespace {

void test(int n, int num_bins) {
  std::vector<unsigned> values;
  std::vector<unsigned> want(static_cast<std::size_t>(num_bins));
  for (const float x : exact::numbers(static_cast<std::size_t>(n), num_bins, 1)) {
    values.push_back(static_cast<unsigned>(static_cast<int>(x) + num_bins));
    if (values.back() < static_cast<unsigned>(num_bins)) ++want[values.back()];
  }
  exact::Device<unsigned> device_values(values), bins(std::vector<unsigned>(want.size(), 7));
  histogram(device_values.get(), bins.get(), n, num_bins);
  exact::require_equal(bins.download(), want,
                       "n = " + std::to_string(n) + ", " + std::to_string(num_bins) + " bins");
}

}  // namespace

int main() {
  test(0, 4);
  test(1, 1);
  test(5000, 256);
  test(3001, 10);
  test(20000, 4096);
}
