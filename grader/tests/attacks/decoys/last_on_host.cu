// lab:     reduction
// does:    combines the last 256 partial results on the host
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <cmath>

#include "reduction.h"

__host__ __device__ float combine(float a, float b, int op) {
  switch (op) {
    case kSum:
      return a + b;
    case kMin:
      return a < b ? a : b;
    case kMax:
      return a > b ? a : b;
    default:
      return a * b;
  }
}

__global__ void sum(const float* values, float* partial, int n, int op) {
  __shared__ float shared[256];
  float mine = op == kSum ? 0 : op == kProduct ? 1 : op == kMin ? INFINITY : -INFINITY;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    mine = combine(mine, values[i], op);
  }
  shared[threadIdx.x] = mine;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + half], op);
    }
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = shared[0];
}

void reduction(const float* values, float* result, int n, int op) {
  float* partial;
  cudaMalloc(&partial, 256 * sizeof(float));
  sum<<<256, 256>>>(values, partial, n, op);
  float host[256];
  cudaMemcpy(host, partial, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(partial);
  float all = host[0];
  for (int i = 1; i < 256; ++i) all = combine(all, host[i], op);
  cudaMemcpy(result, &all, sizeof all, cudaMemcpyHostToDevice);
}
