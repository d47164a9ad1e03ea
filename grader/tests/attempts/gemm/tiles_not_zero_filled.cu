#include "gemm.h"

#include <cuda_runtime.h>

#define TILE 16

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float tileA[TILE][TILE];
  __shared__ float tileB[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < (k + TILE - 1) / TILE; ++t) {
    if (row < m && t * TILE + threadIdx.x < k) {
      tileA[threadIdx.y][threadIdx.x] = a[row * k + t * TILE + threadIdx.x];
    }
    if (t * TILE + threadIdx.y < k && col < n) {
      tileB[threadIdx.y][threadIdx.x] = b[(t * TILE + threadIdx.y) * n + col];
    }
    __syncthreads();
    for (int i = 0; i < TILE; ++i) {
      sum += tileA[threadIdx.y][i] * tileB[i][threadIdx.x];
    }
    __syncthreads();
  }
  if (row < m && col < n) {
    c[row * n + col] = sum;
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  multiply<<<dim3((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), dim3(TILE, TILE)>>>(a, b, c, m, n,
                                                                                  k);
}
