#include "labs/compaction/compaction.h"

#include "reference/exact/exact.h"

int main() {
  for (const int n : {0, 1, 33, 256, 1000, 70001}) {
    std::vector<int> values, want;
    for (const float x : exact::numbers(static_cast<std::size_t>(n), 1000, 1)) {
      values.push_back(static_cast<int>(x));
      if (x > 0) want.push_back(values.back());
    }
    const int count = static_cast<int>(want.size());
    want.resize(values.size(), 0);
    exact::Device<int> device_values(values), kept(std::vector<int>(values.size(), 7)),
        device_count(std::vector<int>(1, 7));
    compaction(device_values.get(), kept.get(), device_count.get(), n);
    exact::require_equal(kept.download(), want, "n = " + std::to_string(n));
    exact::require_equal(device_count.download(), {count}, "count of n = " + std::to_string(n));
  }
}
