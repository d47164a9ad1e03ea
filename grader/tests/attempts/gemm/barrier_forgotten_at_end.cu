#include "gemm.h"

#include <cuda_runtime.h>

const int BLOCK = 32;

__global__ void tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float sa[BLOCK][BLOCK];
  __shared__ float sb[BLOCK][BLOCK];
  int i = blockIdx.y * BLOCK + threadIdx.y;
  int j = blockIdx.x * BLOCK + threadIdx.x;
  float acc = 0.0f;
  for (int t = 0; t < k; t += BLOCK) {
    sa[threadIdx.y][threadIdx.x] = 0.0f;
    sb[threadIdx.y][threadIdx.x] = 0.0f;
    if (i < m && t + threadIdx.x < k) sa[threadIdx.y][threadIdx.x] = a[i * k + t + threadIdx.x];
    if (j < n && t + threadIdx.y < k) sb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + j];
    __syncthreads();
    for (int q = 0; q < BLOCK; ++q) {
      acc += sa[threadIdx.y][q] * sb[q][threadIdx.x];
    }
  }
  if (i < m && j < n) {
    c[i * n + j] = acc;
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m <= 0 || n <= 0) return;
  dim3 threads(BLOCK, BLOCK);
  dim3 blocks((n + BLOCK - 1) / BLOCK, (m + BLOCK - 1) / BLOCK);
  tiled<<<blocks, threads>>>(a, b, c, m, n, k);
}
