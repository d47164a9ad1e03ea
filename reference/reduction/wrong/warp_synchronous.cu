// verdict: fails-correctness
// pitfall: P29
// caught-by: case "a hundred"
// The last warp continues without __syncwarp, and the compiler keeps its values in registers.
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

// out[b] is the combination of block b's share of the values.
template <int op>
__global__ void reduce(const float* in, float* out, int n) {
  __shared__ float cache[kBlock];
  int t = threadIdx.x;
  float mine = identity(op);
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    mine = combine(mine, in[i], op);
  }
  cache[t] = mine;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (t < stride) cache[t] = combine(cache[t], cache[t + stride], op);
    __syncthreads();
  }
  if (t < 32) {
    cache[t] = combine(cache[t], cache[t + 32], op);
    cache[t] = combine(cache[t], cache[t + 16], op);
    cache[t] = combine(cache[t], cache[t + 8], op);
    cache[t] = combine(cache[t], cache[t + 4], op);
    cache[t] = combine(cache[t], cache[t + 2], op);
    cache[t] = combine(cache[t], cache[t + 1], op);
  }
  if (t == 0) out[blockIdx.x] = cache[0];
}

template <int op>
void reduce_all(const float* values, float* result, int n) {
  int blocks = min(512, max(1, (n + kBlock - 1) / kBlock));
  float* partials;
  cudaMalloc(&partials, blocks * sizeof(float));
  reduce<op><<<blocks, kBlock>>>(values, partials, n);
  reduce<op><<<1, kBlock>>>(partials, result, blocks);
  cudaFree(partials);
}

void reduction(const float* values, float* result, int n, int op) {
  if (op == kSum) reduce_all<kSum>(values, result, n);
  if (op == kMin) reduce_all<kMin>(values, result, n);
  if (op == kMax) reduce_all<kMax>(values, result, n);
  if (op == kProduct) reduce_all<kProduct>(values, result, n);
}
