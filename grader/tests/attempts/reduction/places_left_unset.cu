#include "reduction.h"

#include <cuda_runtime.h>

#include <math_constants.h>

__device__ float combine(float a, float b, int op) {
  if (op == kSum) return a + b;
  if (op == kMin) return fminf(a, b);
  if (op == kMax) return fmaxf(a, b);
  return a * b;
}

__global__ void neutral(float* result, int op) {
  *result = op == kSum ? 0.0f : op == kProduct ? 1.0f : op == kMin ? CUDART_INF_F : -CUDART_INF_F;
}

__global__ void reduce_blocks(const float* values, float* block_results, int n, int op) {
  __shared__ float s[256];
  int tid = threadIdx.x;
  int i = blockIdx.x * 256 + tid;
  if (i < n) s[tid] = values[i];
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (tid < d) s[tid] = combine(s[tid], s[tid + d], op);
    __syncthreads();
  }
  if (tid == 0) block_results[blockIdx.x] = s[0];
}

void reduction(const float* values, float* result, int n, int op) {
  if (n == 0) {
    neutral<<<1, 1>>>(result, op);
    return;
  }
  int blocks = (n + 255) / 256;
  if (blocks == 1) {
    reduce_blocks<<<1, 256>>>(values, result, n, op);
    return;
  }
  float* tmp;
  cudaMalloc(&tmp, blocks * sizeof(float));
  reduce_blocks<<<blocks, 256>>>(values, tmp, n, op);
  reduction(tmp, result, blocks, op);
  cudaFree(tmp);
}
