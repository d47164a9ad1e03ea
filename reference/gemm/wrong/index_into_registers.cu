// verdict: fails-performance
// pitfall: P67
// caught-by: performance
// Each thread starts with another of its columns; its sums are indexed, and leave registers.
#include "gemm.h"

#include <cuda_runtime.h>

#define TILE 64
#define EACH 4
#define DEPTH 16

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[TILE][DEPTH];
  __shared__ float bs[DEPTH][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;

  float sums[EACH][EACH] = {};
  for (int start = 0; start < k; start += DEPTH) {
    for (int i = 0; i < EACH; ++i) {
      int r = row + 16 * i, s = col + 16 * i;
      as[ty + 16 * i][tx] = (r < m && start + tx < k) ? a[r * k + start + tx] : 0;
      bs[ty][tx + 16 * i] = (start + ty < k && s < n) ? b[(start + ty) * n + s] : 0;
    }
    __syncthreads();
    for (int p = 0; p < DEPTH; ++p)
      for (int i = 0; i < EACH; ++i)
        for (int jj = 0; jj < EACH; ++jj) {
          int j = (jj + tx) % EACH;
          sums[i][j] += as[ty + 16 * i][p] * bs[p][tx + 16 * j];
        }
    __syncthreads();
  }
  for (int i = 0; i < EACH; ++i)
    for (int j = 0; j < EACH; ++j)
      if (row + 16 * i < m && col + 16 * j < n) c[(row + 16 * i) * n + col + 16 * j] = sums[i][j];
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 block(16, 16);
  dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  multiply<<<grid, block>>>(a, b, c, m, n, k);
}
