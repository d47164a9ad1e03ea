// verdict: fails-correctness
// pitfall: P40
// caught-by: case "a hundred"
// The tree is built in the caller's array.
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

// Stores the combination of a segment of twice the block's size in its first element.
__global__ void reduce_segments(float* data, float* out, int n, int op) {
  int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  for (int stride = blockDim.x; stride > 0; stride /= 2) {
    if (threadIdx.x < stride && i + stride < n) data[i] = combine(data[i], data[i + stride], op);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = data[i];
}
__global__ void set_to_identity(float* result, int op) {
  *result = identity(op);
}

void reduction(const float* values, float* result, int n, int op) {
  if (n == 0) {
    set_to_identity<<<1, 1>>>(result, op);
    return;
  }
  int blocks = (n + 2 * kBlock - 1) / (2 * kBlock);
  float* scratch;
  cudaMalloc(&scratch, 2 * blocks * sizeof(float));
  float* in = (float*)values;
  float* out = scratch;
  while (blocks > 1) {
    reduce_segments<<<blocks, kBlock>>>(in, out, n, op);
    in = out;
    out += blocks;
    n = blocks;
    blocks = (n + 2 * kBlock - 1) / (2 * kBlock);
  }
  reduce_segments<<<1, kBlock>>>(in, result, n, op);
  cudaFree(scratch);
}
