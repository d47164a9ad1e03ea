#include "gemm.h"

#include <cuda_runtime.h>

#include <algorithm>

constexpr int kTile = 32;

__global__ void multiply_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[kTile][kTile + 1];
  __shared__ float b_tile[kTile][kTile + 1];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  // clamp the indices so that no access is out of bounds; results outside are not stored anyway
  const int r = min(row, m - 1);
  const int j = min(column, n - 1);

  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    const int la = min(first + static_cast<int>(threadIdx.x), k - 1);
    const int lb = min(first + static_cast<int>(threadIdx.y), k - 1);
    a_tile[threadIdx.y][threadIdx.x] = a[static_cast<size_t>(r) * k + la];
    b_tile[threadIdx.y][threadIdx.x] = b[static_cast<size_t>(lb) * n + j];
    __syncthreads();
#pragma unroll
    for (int l = 0; l < kTile; ++l) sum += a_tile[threadIdx.y][l] * b_tile[l][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) c[static_cast<size_t>(row) * n + column] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 block(kTile, kTile);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply_tiled<<<grid, block>>>(a, b, c, m, n, k);
}
