#include "normalize.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void subtract(const float* a, const float* b, float* difference, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) difference[i] = a[i] - b[i];
}

__global__ void add_squares(const float* difference, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, difference[i] * difference[i]);
}

__global__ void divide(float* unit, const float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i<n&& * sum> 0) unit[i] /= sqrtf(*sum / n);
}

void normalize(const float* a, const float* b, float* unit, int n) {
  if (n == 0) return;
  const int blocks = (n + kBlock - 1) / kBlock;
  float* sum = nullptr;
  cudaMalloc(&sum, sizeof(float));
  cudaMemset(sum, 0, sizeof(float));
  subtract<<<blocks, kBlock>>>(a, b, unit, n);
  add_squares<<<blocks, kBlock>>>(unit, sum, n);
  divide<<<blocks, kBlock>>>(unit, sum, n);
  cudaFree(sum);
}
