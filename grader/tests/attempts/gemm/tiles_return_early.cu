#include "gemm.h"

#include <cuda_runtime.h>

constexpr int T = 16;

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float sa[T][T];
  __shared__ float sb[T][T];
  int r = blockIdx.y * T + threadIdx.y;
  int q = blockIdx.x * T + threadIdx.x;
  // threads without an element have nothing to do
  if (r >= m || q >= n) return;
  float sum = 0;
  for (int p = 0; p < k; p += T) {
    sa[threadIdx.y][threadIdx.x] = p + threadIdx.x < k ? a[r * k + p + threadIdx.x] : 0.0f;
    sb[threadIdx.y][threadIdx.x] = p + threadIdx.y < k ? b[(p + threadIdx.y) * n + q] : 0.0f;
    __syncthreads();
    for (int i = 0; i < T; ++i) {
      sum += sa[threadIdx.y][i] * sb[i][threadIdx.x];
    }
    __syncthreads();
  }
  c[r * n + q] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  dim3 threads(T, T);
  dim3 blocks((n + T - 1) / T, (m + T - 1) / T);
  multiply<<<blocks, threads>>>(a, b, c, m, n, k);
}
