#include "labs/sort/sort.h"

#include <algorithm>

#include "reference/exact/exact.h"

int main() {
  for (const int n : {0, 1, 33, 256, 1000, 20001}) {
    std::vector<unsigned> keys;
    for (const float x : exact::numbers(static_cast<std::size_t>(n), 1 << 20, 1)) {
      keys.push_back(static_cast<unsigned>(static_cast<int>(x)) * 1021u);
    }
    std::vector<unsigned> want = keys;
    std::sort(want.begin(), want.end());
    exact::Device<unsigned> device_keys(keys), sorted(std::vector<unsigned>(keys.size(), 7));
    sort(device_keys.get(), sorted.get(), n);
    exact::require_equal(sorted.download(), want, "n = " + std::to_string(n));
  }
}
