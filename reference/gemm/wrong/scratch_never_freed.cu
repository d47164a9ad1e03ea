// verdict: fails-safety
// pitfall: P46
// caught-by: finding leak
// A transposed copy of B is made in every call, and never given back.
#include "gemm.h"

#include <cuda_runtime.h>

__global__ void transpose(const float* b, float* bt, int k, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < k && col < n) bt[col * k + row] = b[row * n + col];
}

__global__ void multiply(const float* a, const float* bt, float* c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * bt[col * k + i];
    c[row * n + col] = sum;
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 block(16, 16);
  float* bt = nullptr;
  if (k > 0) {
    cudaMalloc(&bt, sizeof(float) * k * n);
    transpose<<<dim3((n + 15) / 16, (k + 15) / 16), block>>>(b, bt, k, n);
  }
  multiply<<<dim3((n + 15) / 16, (m + 15) / 16), block>>>(a, bt, c, m, n, k);
}
