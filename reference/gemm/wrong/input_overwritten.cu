// verdict: fails-correctness
// pitfall: P40
// caught-by: case "one tile"
// Scales a row of A in place while it multiplies, and never restores it.
#include "gemm.h"

#include <cuda_runtime.h>

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float sum = 0;
    float* row_of_a = const_cast<float*>(a) + row * k;
    for (int i = 0; i < k; ++i) {
      sum += row_of_a[i] * b[i * n + col];
      if (col == n - 1) row_of_a[i] = 0;  // not needed any more
    }
    c[row * n + col] = sum;
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 block(16, 16);
  dim3 grid((n + 15) / 16, (m + 15) / 16);
  multiply<<<grid, block>>>(a, b, c, m, n, k);
}
