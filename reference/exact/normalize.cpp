#include "labs/normalize/normalize.h"

#include "reference/exact/exact.h"

/// 4^k differences of 3 or -3 and otherwise 0: the length is 3 * 2^k, and quotients are exact.
int main() {
  for (const int n : {0, 1, 5, 33, 256, 257, 5000, 100003}) {
    for (int count = 1; count <= n && count <= 16384; count *= 4) {
      const auto b = exact::numbers(n, 50, 1);
      std::vector<float> a = b;
      std::vector<float> want(n);
      float root = 1;
      while (root * root < count) root *= 2;
      const int step = n / count;
      for (int i = 0; i < count; ++i) {
        const int sign = i % 3 == 0 ? -1 : 1;
        a[i * step] += sign * 3;
        want[i * step] = sign / root;
      }
      exact::Device<float> device_a(a), device_b(b), unit(std::vector<float>(n, 7));
      normalize(device_a.get(), device_b.get(), unit.get(), n);
      exact::require_equal(unit.download(), want,
                           std::to_string(count) + " of " + std::to_string(n) + " elements");
    }
    const auto same = exact::numbers(n, 50, 2);
    exact::Device<float> device_a(same), device_b(same), unit(std::vector<float>(n, 7));
    normalize(device_a.get(), device_b.get(), unit.get(), n);
    exact::require_equal(unit.download(), std::vector<float>(n), "equal vectors");
  }
}
