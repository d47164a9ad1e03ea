// A tree in each block, launched until one result is left.
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
  int i = blockIdx.x * blockDim.x + t;
  float mine = i < n ? in[i] : identity(op);
  cache[t] = mine;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) cache[t] = combine(cache[t], cache[t + stride], op);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = cache[0];
}

void reduction(const float* values, float* result, int n, int op) {
  int blocks = max(1, (n + kBlock - 1) / kBlock);
  float* scratch;
  cudaMalloc(&scratch, 2 * blocks * sizeof(float));
  const float* in = values;
  float* out = scratch;
  while (blocks > 1) {
    reduce<<<blocks, kBlock>>>(in, out, n, op);
    in = out;
    out += blocks;
    n = blocks;
    blocks = (n + kBlock - 1) / kBlock;
  }
  reduce<<<1, kBlock>>>(in, result, n, op);
  cudaFree(scratch);
}
