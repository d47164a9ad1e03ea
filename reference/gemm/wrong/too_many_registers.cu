// verdict: fails-correctness
// pitfall: P15
// caught-by: finding illegal-launch
// A thread keeps 64 sums: 1024 threads of more than 64 registers are more than a multiprocessor
// has.
#include "gemm.h"

#include <cuda_runtime.h>

#define ROWS 32
#define COARSE 64

// A block of 32 x 32 threads: 32 rows and 2048 columns.
__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[ROWS][32];
  __shared__ float bs[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * ROWS + ty;
  float sums[COARSE] = {};
  for (int start = 0; start < k; start += 32) {
    as[ty][tx] = (row < m && start + tx < k) ? a[row * k + start + tx] : 0;
#pragma unroll
    for (int j = 0; j < COARSE; ++j) {
      int col = (blockIdx.x * COARSE + j) * 32 + tx;
      bs[ty][tx] = (start + ty < k && col < n) ? b[(start + ty) * n + col] : 0;
      __syncthreads();
      if ((blockIdx.x * COARSE + j) * 32 < n)
        for (int i = 0; i < 32; ++i) sums[j] += as[ty][i] * bs[i][tx];
      __syncthreads();
    }
  }
#pragma unroll
  for (int j = 0; j < COARSE; ++j) {
    int col = (blockIdx.x * COARSE + j) * 32 + tx;
    if (row < m && col < n) c[row * n + col] = sums[j];
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 block(32, 32);
  dim3 grid((n + 32 * COARSE - 1) / (32 * COARSE), (m + ROWS - 1) / ROWS);
  multiply<<<grid, block>>>(a, b, c, m, n, k);
}
