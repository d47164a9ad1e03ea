#include "gemm.h"

#include <cuda_runtime.h>

constexpr int W = 16;

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float A[W][W];
  __shared__ float B[W][W];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * W + y, col = blockIdx.x * W + x;
  float sum = 0;
  for (int p = 0; p < (k + W - 1) / W; p++) {
    A[x][y] = (row < m && p * W + x < k) ? a[row * k + p * W + x] : 0.0f;
    B[y][x] = (p * W + y < k && col < n) ? b[(p * W + y) * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < W; i++) sum += A[y][i] * B[i][x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  multiply<<<dim3((n + W - 1) / W, (m + W - 1) / W), dim3(W, W)>>>(a, b, c, m, n, k);
}
