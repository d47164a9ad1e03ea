#include "gemm.h"

#include <cuda_runtime.h>

constexpr int kTile = 16;

__global__ void multiply_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int col = blockIdx.x * kTile + tx;

  float sum = 0;
  const int phases = (k + kTile - 1) / kTile;
  for (int phase = 0; phase < phases; ++phase) {
    if (row < m && phase * kTile + tx < k)
      a_tile[ty][tx] = a[row * k + phase * kTile + tx];
    else
      a_tile[ty][tx] = 0;
    if (col < n && phase * kTile + tx < k)
      b_tile[ty][tx] = b[(phase * kTile + ty) * n + col];
    else
      b_tile[ty][tx] = 0;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += a_tile[ty][i] * b_tile[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  if (k == 0) {
    cudaMemset(c, 0, sizeof(float) * m * n);
    return;
  }
  dim3 block(kTile, kTile);
  dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply_tiled<<<grid, block>>>(a, b, c, m, n, k);
  if (cudaGetLastError() != cudaSuccess) return;
}
