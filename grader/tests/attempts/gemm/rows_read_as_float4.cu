#include "gemm.h"
#include <cuda_runtime.h>

// every thread computes four neighbouring elements of a row of C
__global__ void gemm4(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= m || col >= n) return;

  if (col + 3 < n) {
    float4 sum = make_float4(0, 0, 0, 0);
    for (int i = 0; i < k; i++) {
      float x = a[row * k + i];
      float4 y = *reinterpret_cast<const float4*>(&b[i * n + col]);
      sum.x += x * y.x;
      sum.y += x * y.y;
      sum.z += x * y.z;
      sum.w += x * y.w;
    }
    c[row * n + col] = sum.x;
    c[row * n + col + 1] = sum.y;
    c[row * n + col + 2] = sum.z;
    c[row * n + col + 3] = sum.w;
  } else {
    for (int j = col; j < n && j < col + 4; j++) {
      float sum = 0;
      for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + j];
      c[row * n + j] = sum;
    }
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m * n == 0) return;
  dim3 block(16, 16), grid((n + 63) / 64, (m + 15) / 16);
  gemm4<<<grid, block>>>(a, b, c, m, n, k);
}
