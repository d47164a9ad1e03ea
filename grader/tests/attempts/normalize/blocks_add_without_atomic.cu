#include "normalize.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void subtract(const float* a, const float* b, float* difference, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) difference[i] = a[i] - b[i];
}

__global__ void add_squares(const float* difference, float* sum, int n) {
  __shared__ float squares[kBlock];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  squares[threadIdx.x] = i < n ? difference[i] * difference[i] : 0;
  __syncthreads();
  for (int d = kBlock / 2; d > 0; d /= 2) {
    if (threadIdx.x < d) squares[threadIdx.x] += squares[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) *sum += squares[0];
}

__global__ void divide(float* unit, const float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (*sum > 0)
    unit[i] = unit[i] / sqrtf(*sum);
  else
    unit[i] = 0;
}

void normalize(const float* a, const float* b, float* unit, int n) {
  if (n == 0) return;
  float* sum;
  cudaMalloc(&sum, sizeof(float));
  cudaMemset(sum, 0, sizeof(float));
  int blocks = (n + kBlock - 1) / kBlock;
  subtract<<<blocks, kBlock>>>(a, b, unit, n);
  add_squares<<<blocks, kBlock>>>(unit, sum, n);
  divide<<<blocks, kBlock>>>(unit, sum, n);
  if (cudaGetLastError() != cudaSuccess) n = 0;
  cudaFree(sum);
}
