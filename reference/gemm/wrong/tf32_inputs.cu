// verdict: fails-correctness
// pitfall: P56
// caught-by: case "exact sums"
// The factors are rounded to TF32, as tensor cores would take them: 11 bits of 24.
#include "gemm.h"

#include <cuda_runtime.h>

#define TILE 16

// The nearest number with 11 significant bits, as tensor cores take it.
__device__ float to_tf32(float x) {
  return __uint_as_float((__float_as_uint(x) + 0x1000u) & ~0x1fffu);
}

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[TILE][TILE];
  __shared__ float bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;

  float sum = 0;
  for (int p = 0; p < (k + TILE - 1) / TILE; ++p) {
    as[ty][tx] = (row < m && p * TILE + tx < k) ? to_tf32(a[row * k + p * TILE + tx]) : 0;
    bs[ty][tx] = (p * TILE + ty < k && col < n) ? to_tf32(b[(p * TILE + ty) * n + col]) : 0;
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += as[ty][i] * bs[i][tx];
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
