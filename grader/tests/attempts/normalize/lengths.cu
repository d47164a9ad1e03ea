#include "normalize.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void add_squares(const float* a, const float* b, float* sum, int n) {
  __shared__ float squares[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  float d = 0;
  if (i < n) d = a[i] - b[i];
  squares[threadIdx.x] = d * d;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) squares[threadIdx.x] += squares[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, squares[0]);
}

__global__ void divide(const float* a, const float* b, float* unit, const float* sum, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  const float length = *sum;
  unit[i] = length > 0.0f ? (a[i] - b[i]) / length : 0.0f;
}

void normalize(const float* a, const float* b, float* unit, int n) {
  if (n == 0) return;
  float* sum = nullptr;
  if (cudaMalloc(&sum, sizeof(float)) != cudaSuccess) return;
  cudaMemset(sum, 0, sizeof(float));
  const int blocks = (n + kBlock - 1) / kBlock;
  add_squares<<<blocks, kBlock>>>(a, b, sum, n);
  divide<<<blocks, kBlock>>>(a, b, unit, sum, n);
  if (cudaGetLastError() != cudaSuccess) { /* freed below */ }
  cudaFree(sum);
}
