#include "reduction.h"

#include <cuda_runtime.h>

#include <cfloat>

__device__ float identity(int op) {
  if (op == kSum) return 0.0f;
  if (op == kMin) return FLT_MAX;
  if (op == kMax) return FLT_MIN;
  return 1.0f;
}

__device__ float combine(float a, float b, int op) {
  if (op == kSum) return a + b;
  if (op == kMin) return min(a, b);
  if (op == kMax) return max(a, b);
  return a * b;
}

__global__ void reduce_blocks(const float* values, float* block_results, int n, int op) {
  __shared__ float sdata[256];
  float v = identity(op);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    v = combine(v, values[i], op);
  }
  sdata[threadIdx.x] = v;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s) {
      sdata[threadIdx.x] = combine(sdata[threadIdx.x], sdata[threadIdx.x + s], op);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) block_results[blockIdx.x] = sdata[0];
}

void reduction(const float* values, float* result, int n, int op) {
  float* partial;
  cudaMalloc(&partial, 432 * sizeof(float));
  reduce_blocks<<<432, 256>>>(values, partial, n, op);
  reduce_blocks<<<1, 256>>>(partial, result, 432, op);
  cudaFree(partial);
}
