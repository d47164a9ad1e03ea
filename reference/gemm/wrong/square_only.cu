// verdict: fails-correctness
// pitfall: P5
// caught-by: case "three different extents"
// One width for all three matrices.
#include "gemm.h"

#include <cuda_runtime.h>

#define TILE 16

__global__ void multiply(const float* a, const float* b, float* c, int width) {
  __shared__ float as[TILE][TILE];
  __shared__ float bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;

  float sum = 0;
  for (int p = 0; p < (width + TILE - 1) / TILE; ++p) {
    as[ty][tx] = (row < width && p * TILE + tx < width) ? a[row * width + p * TILE + tx] : 0;
    bs[ty][tx] = (p * TILE + ty < width && col < width) ? b[(p * TILE + ty) * width + col] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < width && col < width) c[row * width + col] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int, int) {
  if (m == 0) return;
  dim3 block(TILE, TILE);
  dim3 grid((m + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  multiply<<<grid, block>>>(a, b, c, m);
}
