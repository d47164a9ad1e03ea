#include "reduction.h"

#include <cuda_runtime.h>

#include <math_constants.h>

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

__global__ void reduce_blocks(const float* values, float* block_results, int n, int op) {
  __shared__ float warps[8];
  int i = blockIdx.x * 256 + threadIdx.x;
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 8) warps[threadIdx.x] = identity(op);
  __syncthreads();
  if (i < n) {
    float v = values[i];
    for (int d = 16; d > 0; d /= 2) {
      v = combine(v, __shfl_down_sync(0xffffffff, v, d), op);
    }
    if (lane == 0) warps[threadIdx.x / 32] = v;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    float r = warps[0];
    for (int w = 1; w < 8; w++) r = combine(r, warps[w], op);
    block_results[blockIdx.x] = r;
  }
}

void reduction(const float* values, float* result, int n, int op) {
  if (n <= 256) {
    reduce_blocks<<<1, 256>>>(values, result, n, op);
    return;
  }
  int blocks = (n + 255) / 256;
  float* p;
  cudaMalloc(&p, blocks * sizeof(float));
  reduce_blocks<<<blocks, 256>>>(values, p, n, op);
  reduction(p, result, blocks, op);
  cudaFree(p);
}
