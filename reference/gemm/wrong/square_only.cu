// verdict: fails-correctness
// pitfall: P5
// caught-by: case "three different extents"
// One width for all three matrices.
#include "gemm.h"

#include <cuda_runtime.h>

__global__ void multiply(const float* a, const float* b, float* c, int width) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < width && col < width) {
    float sum = 0;
    for (int i = 0; i < width; ++i) sum += a[row * width + i] * b[i * width + col];
    c[row * width + col] = sum;
  }
}

void gemm(const float* a, const float* b, float* c, int m, int, int) {
  if (m == 0) return;
  dim3 block(16, 16);
  dim3 grid((m + 15) / 16, (m + 15) / 16);
  multiply<<<grid, block>>>(a, b, c, m);
}
