// verdict: fails-performance
// pitfall: P71
// caught-by: performance
// One thread loops over all values.
#include "reduction.h"

#include <cuda_runtime.h>
#include <math.h>

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

__global__ void reduce(const float* in, float* result, int n, int op) {
  float mine = identity(op);
  for (int i = 0; i < n; ++i) mine = combine(mine, in[i], op);
  *result = mine;
}

void reduction(const float* values, float* result, int n, int op) {
  reduce<<<1, 1>>>(values, result, n, op);
}
