// As two_launches, with shuffles in place of the tree.
#include "reduction.h"

#include <cuda_runtime.h>
#include <math.h>

constexpr int kBlock = 256;

__device__ float identity(int op) {
  if (op == kMin) return INFINITY;
  if (op == kMax) return -INFINITY;
  return op == kProduct ? 1.0f : 0.0f;
}

__device__ float combine(float a, float b, int op) {
  if (op == kMin) return fminf(a, b);
  if (op == kMax) return fmaxf(a, b);
  return op == kProduct ? a * b : a + b;
}

__device__ float reduce_warp(float mine, int op) {
  for (int distance = 16; distance > 0; distance /= 2) {
    mine = combine(mine, __shfl_down_sync(0xffffffff, mine, distance), op);
  }
  return mine;
}

// out[b] is the combination of block b's share of the values.
__global__ void reduce(const float* in, float* out, int n, int op) {
  __shared__ float warp_results[32];
  int t = threadIdx.x;
  float mine = identity(op);
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    mine = combine(mine, in[i], op);
  }
  mine = reduce_warp(mine, op);
  if (t % 32 == 0) warp_results[t / 32] = mine;
  __syncthreads();
  if (t < 32) {
    mine = t < blockDim.x / 32 ? warp_results[t] : identity(op);
    mine = reduce_warp(mine, op);
    if (t == 0) out[blockIdx.x] = mine;
  }
}

void reduction(const float* values, float* result, int n, int op) {
  int blocks = min(512, max(1, (n + kBlock - 1) / kBlock));
  float* partials;
  cudaMalloc(&partials, blocks * sizeof(float));
  reduce<<<blocks, kBlock>>>(values, partials, n, op);
  reduce<<<1, kBlock>>>(partials, result, blocks, op);
  cudaFree(partials);
}
