// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Negative results are not cut off.
#include "gemm_fused.h"

#include <cuda_runtime.h>

__global__ void layer(const float* a, const float* b, const float* c, float* out, int m, int n,
                      int k) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (int l = 0; l < k; ++l) sum += a[row * k + l] * b[col * k + l];
  out[row * n + col] = sum + c[row * n + col];
}

void gemm_fused(const float* a, const float* b, const float* c, float* out, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 block(16, 16);
  const dim3 grid((n + 15) / 16, (m + 15) / 16);
  layer<<<grid, block>>>(a, b, c, out, m, n, k);
}
