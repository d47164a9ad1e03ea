#include "gemm.h"

const int TILE = 16;

__global__ void tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float ta[TILE][TILE], tb[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < k / TILE; ++t) {
    ta[threadIdx.y][threadIdx.x] = a[row * k + t * TILE + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(t * TILE + threadIdx.y) * n + col];
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 block(TILE, TILE);
  dim3 grid(n / TILE, m / TILE);
  tiled<<<grid, block>>>(a, b, c, m, n, k);
}
