// verdict: fails-safety
// pitfall: P33
// caught-by: finding race-global
// The last block reads the others' results with no fence between them and the count.
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

__device__ float block_results[512];
__device__ unsigned finished_blocks;

__global__ void reduce(const float* in, float* result, int n, int op) {
  __shared__ float cache[kBlock];
  __shared__ bool is_last;
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
  if (t == 0) {
    block_results[blockIdx.x] = cache[0];
    is_last = atomicInc(&finished_blocks, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  mine = identity(op);
  for (int b = t; b < gridDim.x; b += blockDim.x) mine = combine(mine, block_results[b], op);
  cache[t] = mine;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) cache[t] = combine(cache[t], cache[t + stride], op);
    __syncthreads();
  }
  if (t == 0) *result = cache[0];
}

void reduction(const float* values, float* result, int n, int op) {
  int blocks = min(512, max(1, (n + kBlock - 1) / kBlock));
  reduce<<<blocks, kBlock>>>(values, result, n, op);
}
