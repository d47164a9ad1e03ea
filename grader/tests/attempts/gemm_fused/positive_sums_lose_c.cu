#include "gemm_fused.h"

#include <cuda_runtime.h>

constexpr int kTile = 16;

__device__ float activated(float sum, float bias) {
  const float total = sum + bias;
  return total > 0.0f ? sum : 0.0f;
}

__global__ void layer(const float* a, const float* b, const float* c, float* out, int m, int n,
                      int k) {
  __shared__ float rows_of_a[kTile][kTile + 1];
  __shared__ float columns_of_b[kTile][kTile + 1];  // [j][l]
  const int i = blockIdx.y * kTile + threadIdx.y;
  const int j = blockIdx.x * kTile + threadIdx.x;
  const int loaded_j = blockIdx.x * kTile + threadIdx.y;
  float sum = 0.0f;
  for (int first = 0; first < k; first += kTile) {
    const int l = first + threadIdx.x;
    rows_of_a[threadIdx.y][threadIdx.x] =
        i < m && l < k ? a[static_cast<size_t>(i) * k + l] : 0.0f;
    columns_of_b[threadIdx.y][threadIdx.x] =
        loaded_j < n && l < k ? b[static_cast<size_t>(loaded_j) * k + l] : 0.0f;
    __syncthreads();
    for (int e = 0; e < kTile; ++e) {
      sum += rows_of_a[threadIdx.y][e] * columns_of_b[threadIdx.x][e];
    }
    __syncthreads();
  }
  if (i < m && j < n) {
    const size_t at = static_cast<size_t>(i) * n + j;
    out[at] = activated(sum, c[at]);
  }
}

void gemm_fused(const float* a, const float* b, const float* c, float* out, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  layer<<<grid, dim3(kTile, kTile)>>>(a, b, c, out, m, n, k);
  if (cudaGetLastError() != cudaSuccess) return;
}
