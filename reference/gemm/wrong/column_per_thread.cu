// verdict: fails-performance
// pitfall: P68
// caught-by: performance
// A thread computes a whole column of C: too few threads for the device.
#include "gemm.h"

#include <cuda_runtime.h>

#define BLOCK 64

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[BLOCK];
  int col = blockIdx.x * BLOCK + threadIdx.x;
  for (int row = 0; row < m; ++row) {
    float sum = 0;
    for (int start = 0; start < k; start += BLOCK) {
      as[threadIdx.x] = start + threadIdx.x < k ? a[row * k + start + threadIdx.x] : 0;
      __syncthreads();
      for (int i = 0; i < BLOCK && start + i < k && col < n; ++i)
        sum += as[i] * b[(start + i) * n + col];
      __syncthreads();
    }
    if (col < n) c[row * n + col] = sum;
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  multiply<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(a, b, c, m, n, k);
}
