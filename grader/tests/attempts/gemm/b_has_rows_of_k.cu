#include "gemm.h"

#include <cuda_runtime.h>

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < m && s < n) {
    float dot = 0.0f;
    for (int t = 0; t < k; t++) {
      dot += a[r * k + t] * b[t * k + s];
    }
    c[r * n + s] = dot;
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 threads(16, 16);
  dim3 blocks((n + 15) / 16, (m + 15) / 16);
  multiply<<<blocks, threads>>>(a, b, c, m, n, k);
}
