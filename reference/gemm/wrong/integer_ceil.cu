// verdict: fails-correctness
// pitfall: P3
// caught-by: case "one more than a tile"
// The divisions are done in integers, before ceil sees them.
#include "gemm.h"

#include <cuda_runtime.h>

#include <cmath>

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 block(16, 16);
  dim3 grid(ceil(n / 16), ceil(m / 16));
  multiply<<<grid, block>>>(a, b, c, m, n, k);
}
