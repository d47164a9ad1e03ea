#include "gemm.h"

// thread (x, y) computes row x, column y
__global__ void dot(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  float s = 0.0f;
  for (int i = 0; i < k; i++) s += a[row * k + i] * b[i * n + col];
  c[row * n + col] = s;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m <= 0 || n <= 0) return;
  dim3 threads(16, 16);
  dim3 blocks((m + 15) / 16, (n + 15) / 16);
  dot<<<blocks, threads>>>(a, b, c, m, n, k);
}
