// A grid-stride loop and a tree in each block, then one block for the partial results.
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
__global__ void reduce(const float* in, float* out, int n, int op) {
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
  if (t == 0) out[blockIdx.x] = cache[0];
}

void reduction(const float* values, float* result, int n, int op) {
  int blocks = min(512, max(1, (n + kBlock - 1) / kBlock));
  float* partials;
  cudaMalloc(&partials, blocks * sizeof(float));
  reduce<<<blocks, kBlock>>>(values, partials, n, op);
  reduce<<<1, kBlock>>>(partials, result, blocks, op);
  cudaFree(partials);
}
