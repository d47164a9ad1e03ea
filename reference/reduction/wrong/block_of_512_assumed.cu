// verdict: fails-safety
// pitfall: P21
// caught-by: finding unwritten-shared-read
// The unrolled tree is for 512 threads; the block has 256.
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
  __shared__ float cache[512];
  int t = threadIdx.x;
  float mine = identity(op);
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    mine = combine(mine, in[i], op);
  }
  cache[t] = mine;
  __syncthreads();
  // Unrolled, without a loop's overhead.
  if (t < 256) cache[t] = combine(cache[t], cache[t + 256], op);
  __syncthreads();
  if (t < 128) cache[t] = combine(cache[t], cache[t + 128], op);
  __syncthreads();
  if (t < 64) cache[t] = combine(cache[t], cache[t + 64], op);
  __syncthreads();
  if (t < 32) {
    float last = combine(cache[t], cache[t + 32], op);
    for (int distance = 16; distance > 0; distance /= 2) {
      last = combine(last, __shfl_down_sync(0xffffffff, last, distance), op);
    }
    if (t == 0) out[blockIdx.x] = last;
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
