// verdict: fails-correctness
// pitfall: P2
// caught-by: case "one more than a tile"
// The number of blocks is rounded down.
#include "gemm_fused.h"

#include <cuda_runtime.h>

__global__ void layer(const float* a, const float* b, const float* c, float* out, int m, int n,
                      int k) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (int l = 0; l < k; ++l) sum += a[row * k + l] * b[col * k + l];
  out[row * n + col] = fmaxf(sum + c[row * n + col], 0.0f);
}

void gemm_fused(const float* a, const float* b, const float* c, float* out, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 block(16, 16);
  const dim3 grid(n < 16 ? 1 : n / 16, m < 16 ? 1 : m / 16);
  layer<<<grid, block>>>(a, b, c, out, m, n, k);
}
