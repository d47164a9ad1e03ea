#include "labs/tensor/tensor.h"

#include <string>

#include "reference/exact/exact.h"

namespace {

std::vector<__nv_bfloat16> in_bf16(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

}  // namespace

/// Whole numbers, in extents that tiles divide and others. Sums stay below 2^24, and are rounded
/// once.
int main() {
  const int shapes[][3] = {{1, 8, 8},     {0, 8, 16},    {20, 40, 0},
                           {37, 72, 200}, {64, 64, 512}, {129, 264, 136}};
  for (const auto& [m, n, k] : shapes) {
    const auto a = exact::numbers(static_cast<std::size_t>(m) * k, 8, 1);
    const auto b = exact::numbers(static_cast<std::size_t>(k) * n, 8, 2);
    std::vector<float> sums(static_cast<std::size_t>(m) * n);
    for (int i = 0; i < m; ++i) {
      for (int l = 0; l < k; ++l) {
        for (int j = 0; j < n; ++j) sums[i * n + j] += a[i * k + l] * b[l * n + j];
      }
    }
    exact::Device<__nv_bfloat16> device_a(in_bf16(a)), device_b(in_bf16(b));
    exact::Device<__nv_bfloat16> c(in_bf16(std::vector<float>(sums.size(), -7)));
    gemm_bf16(device_a.get(), device_b.get(), c.get(), m, n, k);
    const auto got = c.download();
    const auto want = in_bf16(sums);
    exact::require_equal(std::vector<float>(got.begin(), got.end()),
                         std::vector<float>(want.begin(), want.end()),
                         std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k));
  }
}
