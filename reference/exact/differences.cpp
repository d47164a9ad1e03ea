#include "labs/differences/differences.h"

#include "reference/exact/exact.h"

int main() {
  for (const int n : {0, 1, 33, 256, 1000, 70001}) {
    const auto values = exact::numbers(static_cast<std::size_t>(n), 1000, 1);
    std::vector<float> want = values;
    for (std::size_t i = 1; i < values.size(); ++i) want[i] = values[i] - values[i - 1];
    exact::Device<float> device_values(values), result(std::vector<float>(values.size(), 7));
    differences(device_values.get(), result.get(), n);
    exact::require_equal(result.download(), want, "n = " + std::to_string(n));
  }
}
