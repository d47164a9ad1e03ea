// verdict: fails-performance
// pitfall: P71
// caught-by: performance
// One block computes all elements.
#include "gemm_fused.h"

#include <cuda_runtime.h>

__global__ void layer(const float* a, const float* b, const float* c, float* out, int m, int n,
                      int k) {
  for (int at = threadIdx.x; at < m * n; at += blockDim.x) {
    const int row = at / n;
    const int col = at % n;
    float sum = 0;
    for (int l = 0; l < k; ++l) sum += a[row * k + l] * b[col * k + l];
    out[row * n + col] = fmaxf(sum + c[row * n + col], 0.0f);
  }
}

void gemm_fused(const float* a, const float* b, const float* c, float* out, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  layer<<<1, 1024>>>(a, b, c, out, m, n, k);
}
