#include "reduction.h"

#include <cuda_runtime.h>

#include <math_constants.h>

__device__ float identity(int op) {
  return op == kSum ? 0.0f : op == kMin ? CUDART_INF_F : op == kMax ? -CUDART_INF_F : 1.0f;
}

__device__ float combine(float a, float b, int op) {
  return op == kSum ? a + b : op == kMin ? fminf(a, b) : op == kMax ? fmaxf(a, b) : a * b;
}

__global__ void reduce_blocks(const float* values, float* block_results, int n, int op) {
  __shared__ float buf[256];
  int i = blockIdx.x * 512 + threadIdx.x;
  float x = i < n ? values[i] : identity(op);
  if (i + 256 < n) x = combine(x, values[i + 256], op);
  buf[threadIdx.x] = x;
  for (int d = 128; d >= 1; d /= 2) {
    if (threadIdx.x < d) {
      buf[threadIdx.x] = combine(buf[threadIdx.x], buf[threadIdx.x + d], op);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) block_results[blockIdx.x] = buf[0];
}

void reduction(const float* values, float* result, int n, int op) {
  if (n <= 512) {
    reduce_blocks<<<1, 256>>>(values, result, n, op);
    return;
  }
  int blocks = (n + 511) / 512;
  float* tmp;
  cudaMalloc(&tmp, blocks * sizeof(float));
  reduce_blocks<<<blocks, 256>>>(values, tmp, n, op);
  reduction(tmp, result, blocks, op);
  cudaFree(tmp);
}
