// verdict: fails-safety
// pitfall: P26
// caught-by: finding race-shared
// There are two buffers, but the next tiles go into the one that is being read.
#include "gemm.h"

#include <cuda_runtime.h>

#define TILE 16

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[2][TILE][TILE];
  __shared__ float bs[2][TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;
  int phases = (k + TILE - 1) / TILE;

  as[0][ty][tx] = (row < m && tx < k) ? a[row * k + tx] : 0;
  bs[0][ty][tx] = (ty < k && col < n) ? b[ty * n + col] : 0;
  __syncthreads();
  float sum = 0;
  int now = 0;
  for (int p = 0; p < phases; ++p) {
    int next = (p + 1) * TILE;
    float left = (row < m && next + tx < k) ? a[row * k + next + tx] : 0;
    float right = (next + ty < k && col < n) ? b[(next + ty) * n + col] : 0;
    for (int i = 0; i < TILE; ++i) sum += as[now][ty][i] * bs[now][i][tx];
    as[now][ty][tx] = left;
    bs[now][ty][tx] = right;
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 block(TILE, TILE);
  dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  multiply<<<grid, block>>>(a, b, c, m, n, k);
}
