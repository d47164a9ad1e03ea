#include <cuda_runtime.h>

#include "normalize.h"

static const int THREADS = 256;

__global__ void squares(const float* a, const float* b, float* total, int n) {
  __shared__ float cache[THREADS];
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int cacheIndex = threadIdx.x;

  float d = 0;
  if (i < n) d = a[i] - b[i];
  cache[cacheIndex] = d * d;
  __syncthreads();

  int half = blockDim.x / 2;
  while (half != 0) {
    if (cacheIndex < half) cache[cacheIndex] += cache[cacheIndex + half];
    __syncthreads();
    half /= 2;
  }
  atomicAdd(total, cache[0]);
}

__global__ void scaleAll(const float* a, const float* b, const float* total, float* unit, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) unit[i] = (a[i] - b[i]) / sqrtf(*total);
}

void normalize(const float* a, const float* b, float* unit, int n) {
  if (n == 0) return;
  float* total;
  if (cudaMalloc(&total, sizeof(float)) != cudaSuccess) return;
  cudaMemset(total, 0, sizeof(float));
  int blocks = (n + THREADS - 1) / THREADS;
  squares<<<blocks, THREADS>>>(a, b, total, n);
  scaleAll<<<blocks, THREADS>>>(a, b, total, unit, n);
  cudaError_t error = cudaGetLastError();
  cudaFree(total);
  if (error != cudaSuccess) return;
}
