#include "reduction.h"

#include <cuda_runtime.h>

#include <math_constants.h>

__device__ unsigned int finished;

__device__ float identity(int op) {
  if (op == kSum) return 0.0f;
  if (op == kMin) return CUDART_INF_F;
  if (op == kMax) return -CUDART_INF_F;
  return 1.0f;
}

__device__ float combine(float a, float b, int op) {
  if (op == kSum) return a + b;
  if (op == kMin) return fminf(a, b);
  if (op == kMax) return fmaxf(a, b);
  return a * b;
}

__device__ float block_tree(float* s, float v, int op) {
  s[threadIdx.x] = v;
  __syncthreads();
  for (int d = 128; d > 0; d >>= 1) {
    if (threadIdx.x < d) s[threadIdx.x] = combine(s[threadIdx.x], s[threadIdx.x + d], op);
    __syncthreads();
  }
  return s[0];
}

__global__ void reduce_blocks(const float* values, float* partial, float* result, int n, int op) {
  __shared__ float s[256];
  __shared__ bool last;
  float v = identity(op);
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    v = combine(v, values[i], op);
  }
  v = block_tree(s, v, op);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = v;
    last = atomicAdd(&finished, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last) {
    v = identity(op);
    for (int i = threadIdx.x; i < gridDim.x; i += 256) v = combine(v, partial[i], op);
    v = block_tree(s, v, op);
    if (threadIdx.x == 0) {
      *result = v;
      finished = 0;
    }
  }
}

void reduction(const float* values, float* result, int n, int op) {
  int blocks = (n + 2047) / 2048;
  if (blocks < 1) blocks = 1;
  if (blocks > 864) blocks = 864;
  float* partial;
  cudaMalloc(&partial, blocks * sizeof(float));
  reduce_blocks<<<blocks, 256>>>(values, partial, result, n, op);
  cudaFree(partial);
}
