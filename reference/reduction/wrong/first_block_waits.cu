// verdict: fails-safety
// pitfall: P31
// caught-by: finding race-global
// Block 0 spins until the others have stored, and takes for granted that they run meanwhile.
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

__device__ volatile float block_results[4096];
__device__ volatile int has_result[4096];

__global__ void reduce(const float* in, float* result, int n, int op) {
  __shared__ float cache[kBlock];
  int t = threadIdx.x;
  float mine = identity(op);
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    mine = combine(mine, in[i], op);
  }
  cache[t] = mine;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) cache[t] = combine(cache[t], cache[t + stride], op);
    __syncthreads();
  }
  if (t > 0) return;
  float total = cache[0];
  // From the last block to the first: each waits for the one behind it.
  if (blockIdx.x + 1 < gridDim.x) {
    while (has_result[blockIdx.x + 1] == 0) {
    }
    __threadfence();
    total = combine(total, block_results[blockIdx.x + 1], op);
    has_result[blockIdx.x + 1] = 0;
  }
  if (blockIdx.x == 0) {
    *result = total;
  } else {
    block_results[blockIdx.x] = total;
    __threadfence();
    has_result[blockIdx.x] = 1;
  }
}

void reduction(const float* values, float* result, int n, int op) {
  int blocks = min(4096, max(1, (n + kBlock - 1) / kBlock));
  reduce<<<blocks, kBlock>>>(values, result, n, op);
}
