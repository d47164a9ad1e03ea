// verdict: fails-concept
// pitfall: P62
// caught-by: concept coalesced
// threadIdx.x counts rows: neighbouring threads access addresses a row apart.
#include "gemm.h"

#include <cuda_runtime.h>

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) {
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 block(16, 16);
  dim3 grid((m + 15) / 16, (n + 15) / 16);
  multiply<<<grid, block>>>(a, b, c, m, n, k);
}
