#include "gemm.h"

#include <cuda_runtime.h>

#define TILE 16

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float ta[TILE][TILE];
  __shared__ float tb[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < (k + TILE - 1) / TILE; ++t) {
    int ka = t * TILE + threadIdx.x;
    int kb = t * TILE + threadIdx.y;
    ta[threadIdx.y][threadIdx.x] = (row < m && ka < k) ? a[row * k + ka] : 0;
    tb[threadIdx.y][threadIdx.x] = (kb < k && col < n) ? b[kb * n + col] : 0;
    for (int i = 0; i < TILE; ++i) sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  dim3 block(TILE, TILE);
  multiply<<<grid, block>>>(a, b, c, m, n, k);
}
