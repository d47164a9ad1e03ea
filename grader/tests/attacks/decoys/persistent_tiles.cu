// lab:     gemm
// does:    has a few blocks that fetch tiles from a counter until none is left
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include "gemm.h"

constexpr int kTile = 16;

__device__ unsigned next_tile;

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  __shared__ unsigned tile;
  const unsigned across = (n + kTile - 1) / kTile;
  const unsigned down = (m + kTile - 1) / kTile;
  while (true) {
    if (threadIdx.x == 0 && threadIdx.y == 0) tile = atomicAdd(&next_tile, 1u);
    __syncthreads();
    const unsigned mine = tile;
    if (mine >= across * down) return;
    const int row = mine / across * kTile + threadIdx.y;
    const int column = mine % across * kTile + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < k; first += kTile) {
      const int x = first + threadIdx.x;
      const int y = first + threadIdx.y;
      a_tile[threadIdx.y][threadIdx.x] = row < m && x < k ? a[static_cast<size_t>(row) * k + x] : 0;
      b_tile[threadIdx.y][threadIdx.x] =
          y < k && column < n ? b[static_cast<size_t>(y) * n + column] : 0;
      __syncthreads();
      for (int i = 0; i < kTile; ++i) sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
      __syncthreads();
    }
    if (row < m && column < n) c[static_cast<size_t>(row) * n + column] = sum;
    __syncthreads();  // all have read `tile`
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const unsigned none = 0;
  cudaMemcpyToSymbol(next_tile, &none, sizeof(none));
  multiply<<<64, dim3(kTile, kTile)>>>(a, b, c, m, n, k);
}
