// verdict: fails-performance
// pitfall: P71
// caught-by: performance
// One block loops over all of C; the rest of the device has nothing to do.
#include "gemm.h"

#include <cuda_runtime.h>

#define TILE 16

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[TILE][TILE];
  __shared__ float bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int first_row = 0; first_row < m; first_row += TILE) {
    for (int first_col = 0; first_col < n; first_col += TILE) {
      int row = first_row + ty;
      int col = first_col + tx;
      float sum = 0;
      for (int p = 0; p < (k + TILE - 1) / TILE; ++p) {
        as[ty][tx] = (row < m && p * TILE + tx < k) ? a[row * k + p * TILE + tx] : 0;
        bs[ty][tx] = (p * TILE + ty < k && col < n) ? b[(p * TILE + ty) * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; ++i) sum += as[ty][i] * bs[i][tx];
        __syncthreads();
      }
      if (row < m && col < n) c[row * n + col] = sum;
    }
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  multiply<<<1, dim3(TILE, TILE)>>>(a, b, c, m, n, k);
}
