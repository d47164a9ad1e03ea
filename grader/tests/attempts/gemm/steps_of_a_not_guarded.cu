#include <cuda_runtime.h>

#include "gemm.h"

template <int T>
__global__ void matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m,
                       int n, int k) {
  __shared__ float as[T][T];
  __shared__ float bs[T][T + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + tx;

  float acc = 0.f;
  for (int k0 = 0; k0 < k; k0 += T) {
    as[ty][tx] = row < m ? a[(size_t)row * k + k0 + tx] : 0.f;
    bs[ty][tx] = (k0 + ty < k && col < n) ? b[(size_t)(k0 + ty) * n + col] : 0.f;
    __syncthreads();
#pragma unroll
    for (int e = 0; e < T; ++e) acc = fmaf(as[ty][e], bs[e][tx], acc);
    __syncthreads();
  }
  if (row < m && col < n) c[(size_t)row * n + col] = acc;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  constexpr int T = 32;
  const dim3 grid((n + T - 1) / T, (m + T - 1) / T);
  matmul<T><<<grid, dim3(T, T)>>>(a, b, c, m, n, k);
  if (cudaGetLastError() != cudaSuccess) return;
}
