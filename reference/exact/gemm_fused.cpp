#include "labs/gemm_fused/gemm_fused.h"

#include <algorithm>
#include <string>

#include "reference/exact/exact.h"

/// Whole numbers, in extents that tiles divide and others.
int main() {
  const int shapes[][3] = {{1, 1, 1}, {0, 4, 3}, {20, 30, 0}, {33, 65, 17}, {64, 32, 48}};
  for (const auto& [m, n, k] : shapes) {
    const auto a = exact::numbers(static_cast<std::size_t>(m) * k, 8, 1);
    const auto b = exact::numbers(static_cast<std::size_t>(n) * k, 8, 2);
    const auto c = exact::numbers(static_cast<std::size_t>(m) * n, 99, 3);
    std::vector<float> want(c);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        for (int l = 0; l < k; ++l) want[i * n + j] += a[i * k + l] * b[j * k + l];
        want[i * n + j] = std::max(want[i * n + j], 0.0f);
      }
    }
    exact::Device<float> device_a(a), device_b(b), device_c(c);
    exact::Device<float> out(std::vector<float>(want.size(), -7));
    gemm_fused(device_a.get(), device_b.get(), device_c.get(), out.get(), m, n, k);
    exact::require_equal(out.download(), want,
                         std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k));
  }
}
