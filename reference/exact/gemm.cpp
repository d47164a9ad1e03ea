#include "labs/gemm/gemm.h"

#include "reference/exact/exact.h"

namespace {

void test(int m, int n, int k) {
  const auto at = [](int row, int columns, int column) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(column);
  };
  const auto a = exact::numbers(at(m, k, 0), 10, 1), b = exact::numbers(at(k, n, 0), 10, 2);
  std::vector<float> want(at(m, n, 0));
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int l = 0; l < k; ++l) want[at(i, n, j)] += a[at(i, k, l)] * b[at(l, n, j)];
    }
  }
  exact::Device<float> device_a(a), device_b(b), c(std::vector<float>(want.size(), 7));
  gemm(device_a.get(), device_b.get(), c.get(), m, n, k);
  exact::require_equal(c.download(), want,
                       std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k));
}

}  // namespace

int main() {
  test(1, 1, 1);
  test(17, 33, 5);
  test(64, 64, 64);
  test(70, 129, 100);
}
