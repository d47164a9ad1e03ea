// verdict: fails-safety
// pitfall: none
// caught-by: finding misaligned-global
// Reads the rows of B as float4, whatever their length and address.
#include "gemm.h"

#include <cuda_runtime.h>

#define TILE 16

// A thread computes four neighbours of a row.
__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = (blockIdx.x * TILE + threadIdx.x) * 4;
  if (row >= m || col >= n) return;
  if (col + 3 < n) {
    float4 sum = make_float4(0, 0, 0, 0);
    for (int i = 0; i < k; ++i) {
      float left = a[row * k + i];
      float4 right = *reinterpret_cast<const float4*>(&b[i * n + col]);
      sum.x += left * right.x;
      sum.y += left * right.y;
      sum.z += left * right.z;
      sum.w += left * right.w;
    }
    *reinterpret_cast<float4*>(&c[row * n + col]) = sum;
  } else {
    for (int j = col; j < n; ++j) {
      float sum = 0;
      for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + j];
      c[row * n + j] = sum;
    }
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 block(TILE, TILE);
  dim3 grid((n + 4 * TILE - 1) / (4 * TILE), (m + TILE - 1) / TILE);
  multiply<<<grid, block>>>(a, b, c, m, n, k);
}
