#include "reduction.h"

#include <cuda_runtime.h>

#include <math_constants.h>

__device__ float identity(int op) {
  switch (op) {
    case kSum: return 0.0f;
    case kMin: return CUDART_INF_F;
    case kMax: return -CUDART_INF_F;
  }
  return 1.0f;
}

__device__ float combine(float a, float b, int op) {
  switch (op) {
    case kSum: return a + b;
    case kMin: return fminf(a, b);
    case kMax: return fmaxf(a, b);
  }
  return a * b;
}

__global__ void reduce_blocks(const float* values, float* block_results, int n, int op) {
  __shared__ float part[512];
  unsigned int t = threadIdx.x;
  unsigned int i = blockIdx.x * 512 + t;
  part[t] = i < n ? values[i] : identity(op);
  __syncthreads();
  for (unsigned int stride = 256; stride > 0; stride >>= 1) {
    if (t < stride) part[t] = combine(part[t], part[t + stride], op);
  }
  if (t == 0) block_results[blockIdx.x] = part[0];
}

void reduction(const float* values, float* result, int n, int op) {
  int blocks = n > 0 ? (n + 511) / 512 : 1;
  if (blocks == 1) {
    reduce_blocks<<<1, 512>>>(values, result, n, op);
    return;
  }
  float* partial = nullptr;
  cudaMalloc(&partial, blocks * sizeof(float));
  reduce_blocks<<<blocks, 512>>>(values, partial, n, op);
  reduction(partial, result, blocks, op);
  cudaFree(partial);
}
