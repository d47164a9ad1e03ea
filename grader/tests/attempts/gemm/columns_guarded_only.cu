#include "gemm.h"

#include <cuda_runtime.h>

__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  int col = threadIdx.x + blockDim.x * blockIdx.x;
  int row = threadIdx.y + blockDim.y * blockIdx.y;
  if (col < n) {
    float s = 0;
    for (int i = 0; i < k; i++) {
      s += a[row * k + i] * b[i * n + col];
    }
    c[row * n + col] = s;
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 block(16, 16);
  dim3 grid((n + block.x - 1) / block.x, (m + block.y - 1) / block.y);
  product<<<grid, block>>>(a, b, c, m, n, k);
}
