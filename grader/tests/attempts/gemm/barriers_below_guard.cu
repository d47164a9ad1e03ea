#include "gemm.h"

#include <cuda_runtime.h>

#define TILE 16

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float sA[TILE][TILE];
  __shared__ float sB[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  if (row < m && col < n) {
    float sum = 0;
    for (int t = 0; t < (k + TILE - 1) / TILE; t++) {
      sA[threadIdx.y][threadIdx.x] =
          t * TILE + threadIdx.x < k ? a[row * k + t * TILE + threadIdx.x] : 0;
      sB[threadIdx.y][threadIdx.x] =
          t * TILE + threadIdx.y < k ? b[(t * TILE + threadIdx.y) * n + col] : 0;
      __syncthreads();
      for (int i = 0; i < TILE; i++) sum += sA[threadIdx.y][i] * sB[i][threadIdx.x];
      __syncthreads();
    }
    c[row * n + col] = sum;
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 block(TILE, TILE);
  dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  multiply<<<grid, block>>>(a, b, c, m, n, k);
}
