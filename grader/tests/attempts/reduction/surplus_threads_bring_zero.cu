#include "reduction.h"

#include <cuda_runtime.h>

#include <math_constants.h>

__device__ float identity(int op) {
  switch (op) {
    case kMin: return CUDART_INF_F;
    case kMax: return -CUDART_INF_F;
    case kProduct: return 1.0f;
    default: return 0.0f;
  }
}

__device__ float combine(float a, float b, int op) {
  switch (op) {
    case kMin: return a < b ? a : b;
    case kMax: return a > b ? a : b;
    case kProduct: return a * b;
    default: return a + b;
  }
}

__global__ void set_identity(float* result, int op) { *result = identity(op); }

__global__ void reduce_blocks(const float* values, float* block_results, int n, int op) {
  __shared__ float cache[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    cache[threadIdx.x] = values[i];
  } else {
    cache[threadIdx.x] = 0.0f;
  }
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) cache[threadIdx.x] = combine(cache[threadIdx.x], cache[threadIdx.x + s], op);
    __syncthreads();
  }
  if (threadIdx.x == 0) block_results[blockIdx.x] = cache[0];
}

void reduction(const float* values, float* result, int n, int op) {
  if (n == 0) {
    set_identity<<<1, 1>>>(result, op);
    return;
  }
  if (n <= 256) {
    reduce_blocks<<<1, 256>>>(values, result, n, op);
    return;
  }
  int blocks = (n + 255) / 256;
  float* partial;
  cudaMalloc(&partial, blocks * sizeof(float));
  reduce_blocks<<<blocks, 256>>>(values, partial, n, op);
  reduction(partial, result, blocks, op);
  cudaFree(partial);
}
