#include "labs/vecadd/vecadd.h"

#include "reference/exact/exact.h"

int main() {
  for (const int n : {0, 1, 257, 5000}) {
    const auto count = static_cast<std::size_t>(n);
    const auto a = exact::numbers(count, 1000, 1), b = exact::numbers(count, 1000, 2);
    std::vector<float> got(count), want(count);
    for (std::size_t i = 0; i < count; ++i) want[i] = a[i] + b[i];
    vecadd(a.data(), b.data(), got.data(), n);
    exact::require_equal(got, want, "n = " + std::to_string(n));
  }
}
