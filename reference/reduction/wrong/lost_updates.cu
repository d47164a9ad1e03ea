// verdict: fails-safety
// pitfall: P30
// caught-by: finding race-global
// All threads update the result at once, without an atomic.
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

__global__ void reduce(const float* in, float* result, int n, int op) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) *result = combine(*result, in[i], op);
}

__global__ void set_to_identity(float* result, int op) {
  *result = identity(op);
}

void reduction(const float* values, float* result, int n, int op) {
  set_to_identity<<<1, 1>>>(result, op);
  if (n > 0) reduce<<<(n + kBlock - 1) / kBlock, kBlock>>>(values, result, n, op);
}
