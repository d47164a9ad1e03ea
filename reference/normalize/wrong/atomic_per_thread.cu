// verdict: fails-concept
// pitfall: P65
// caught-by: concept atomics
// Right, but every thread adds to the sum by itself.
#include "normalize.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void add_squares(const float* a, const float* b, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, (a[i] - b[i]) * (a[i] - b[i]));
}

__global__ void divide(const float* a, const float* b, float* unit, const float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) unit[i] = *sum > 0 ? (a[i] - b[i]) / sqrtf(*sum) : 0;
}

void normalize(const float* a, const float* b, float* unit, int n) {
  if (n == 0) return;
  const int blocks = (n + kBlock - 1) / kBlock;
  float* sum = nullptr;
  cudaMalloc(&sum, sizeof(float));
  cudaMemset(sum, 0, sizeof(float));
  add_squares<<<blocks, kBlock>>>(a, b, sum, n);
  divide<<<blocks, kBlock>>>(a, b, unit, sum, n);
  cudaFree(sum);
}
