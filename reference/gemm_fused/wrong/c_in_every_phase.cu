// verdict: fails-correctness
// pitfall: none
// caught-by: case "whole tiles"
// C is added in every phase.
#include "gemm_fused.h"

#include <cuda_runtime.h>

constexpr int kTile = 16;

__global__ void layer(const float* a, const float* b, const float* c, float* out, int m, int n,
                      int k) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile + 1];  // [column of B][row of B], as in memory
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int col = blockIdx.x * kTile + tx;
  const int loaded = blockIdx.x * kTile + ty;  // the column of B that this thread loads from
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    const int l = first + tx;
    a_tile[ty][tx] = row < m && l < k ? a[row * k + l] : 0;
    b_tile[ty][tx] = loaded < n && l < k ? b[loaded * k + l] : 0;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += a_tile[ty][i] * b_tile[tx][i];
    if (row < m && col < n) sum += c[row * n + col];
    __syncthreads();
  }
  if (row < m && col < n) out[row * n + col] = fmaxf(sum, 0.0f);
}

void gemm_fused(const float* a, const float* b, const float* c, float* out, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 block(16, 16);
  const dim3 grid((n + 15) / 16, (m + 15) / 16);
  layer<<<grid, block>>>(a, b, c, out, m, n, k);
}
