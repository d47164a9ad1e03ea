// verdict: fails-concept
// pitfall: P75
// caught-by: concept one-pass
// Right, but the product is stored, loaded again and stored again.
#include "gemm_fused.h"

#include <cuda_runtime.h>

constexpr int kTile = 16;

__global__ void multiply(const float* a, const float* b, float* out, int m, int n, int k) {
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
    __syncthreads();
  }
  if (row < m && col < n) out[row * n + col] = sum;
}

__global__ void add_and_cut(const float* c, float* out, int m, int n) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) out[row * n + col] = fmaxf(out[row * n + col] + c[row * n + col], 0.0f);
}

void gemm_fused(const float* a, const float* b, const float* c, float* out, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 block(16, 16);
  const dim3 grid((n + 15) / 16, (m + 15) / 16);
  multiply<<<grid, block>>>(a, b, out, m, n, k);
  add_and_cut<<<grid, block>>>(c, out, m, n);
}
