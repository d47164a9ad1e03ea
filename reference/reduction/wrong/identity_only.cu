// verdict: fails-correctness
// pitfall: none
// caught-by: case "a hundred"
// Trivial: the identity, whatever the values are.
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

__global__ void set_to_identity(float* result, int op) {
  *result = identity(op);
}

void reduction(const float*, float* result, int, int op) {
  set_to_identity<<<1, 1>>>(result, op);
}
