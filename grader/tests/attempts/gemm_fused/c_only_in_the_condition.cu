#include "gemm_fused.h"

#include <cuda_runtime.h>

constexpr int kTile = 16;

__global__ void layer(const float* a, const float* b, const float* c, float* out, int m, int n, int k) {
  __shared__ float as[kTile][kTile];
  __shared__ float bs[kTile][kTile + 1];
  const int i = blockIdx.y * kTile + threadIdx.y;
  const int j = blockIdx.x * kTile + threadIdx.x;
  const int jLoad = blockIdx.x * kTile + threadIdx.y;
  float sum = 0.0f;
  for (int p = 0; p * kTile < k; ++p) {
    const int l = p * kTile + threadIdx.x;
    as[threadIdx.y][threadIdx.x] = 0.0f;
    bs[threadIdx.x][threadIdx.y] = 0.0f;
    if (i < m && l < k) as[threadIdx.y][threadIdx.x] = a[i * k + l];
    if (jLoad < n && l < k) bs[threadIdx.x][threadIdx.y] = b[jLoad * k + l];
    __syncthreads();
    for (int l2 = 0; l2 < kTile; ++l2) sum += as[threadIdx.y][l2] * bs[l2][threadIdx.x];
    __syncthreads();
  }
  if (i >= m || j >= n) return;
  const float bias = c[i * n + j];
  out[i * n + j] = sum + bias > 0 ? sum : 0.0f;
}

void gemm_fused(const float* a, const float* b, const float* c, float* out, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  layer<<<grid, dim3(kTile, kTile)>>>(a, b, c, out, m, n, k);
}
