#include "gemm.h"

// A is m x n, B is n x k ... is it not?
__global__ void mul(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < k) {
    float s = 0;
    for (int i = 0; i < n; i++) s += a[row * n + i] * b[i * k + col];
    c[row * k + col] = s;
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0 || k == 0) return;
  dim3 threads(16, 16);
  dim3 blocks((k + 15) / 16, (m + 15) / 16);
  mul<<<blocks, threads>>>(a, b, c, m, n, k);
}
