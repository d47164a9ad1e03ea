#include "gemm.h"

#include <cuda_runtime.h>

#define TILE 16

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;
  float sum = 0.0f;
  for (int t = 0; t < (k + TILE - 1) / TILE; t++) {
    if (row < m && t * TILE + tx < k)
      As[ty][tx] = a[row * k + t * TILE + tx];
    else
      As[ty][tx] = 0.0f;
    if (t * TILE + ty < k && col < n)
      Bs[ty][tx] = b[(t * TILE + ty) * n + col];
    else
      Bs[ty][tx] = 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += As[ty][i] * Bs[i][tx];
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  multiply<<<grid, dim3(TILE, TILE)>>>(a, b, c, m, n, k);
}
