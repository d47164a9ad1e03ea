// verdict: fails-correctness
// pitfall: P34
// caught-by: case "a hundred"
// The blocks add to whatever *result held before.
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

__device__ void combine_atomically(float* target, float value, int op) {
  int* bits = (int*)target;
  int expected = __float_as_int(identity(op));
  while (true) {
    int combined = __float_as_int(combine(__int_as_float(expected), value, op));
    int found = atomicCAS(bits, expected, combined);
    if (found == expected) break;
    expected = found;
  }
}

// Adds the combination of the block's share of the values to the result.
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
  if (t == 0) combine_atomically(result, cache[0], op);
}

void reduction(const float* values, float* result, int n, int op) {
  int blocks = min(512, max(1, (n + kBlock - 1) / kBlock));
  reduce<<<blocks, kBlock>>>(values, result, n, op);
}
