#include "labs/recurrence/recurrence.h"

#include "reference/exact/exact.h"

int main() {
  for (const int n : {0, 1, 33, 256, 1000, 70001}) {
    std::vector<unsigned> a(n), x(n), want(n);
    unsigned state = 7;
    for (int i = 0; i < n; ++i) {
      a[i] = 2 * (i * 5u % 1000) + 1;
      x[i] = i * 40503u;
      state = a[i] * state + x[i];
      want[i] = state;
    }
    exact::Device<unsigned> device_a(a), device_x(x);
    recurrence(device_a.get(), device_x.get(), n, 7);
    exact::require_equal(device_x.download(), want, "n = " + std::to_string(n));
  }
}
