#include "reduction.h"

#include <cuda_runtime.h>

#include <math_constants.h>

__device__ float identity(int op) {
  if (op == kSum) return 0.0f;
  if (op == kMin) return CUDART_INF_F;
  if (op == kMax) return -CUDART_INF_F;
  return 1.0f;
}

__device__ float combine(float a, float b, int op) {
  if (op == kSum) return a + b;
  if (op == kMin) return fminf(a, b);
  if (op == kMax) return fmaxf(a, b);
  return a * b;
}

// atomicCAS for everything that is not a sum
__device__ void combine_into(float* result, float v, int op) {
  if (op == kSum) {
    atomicAdd(result, v);
    return;
  }
  unsigned int* p = (unsigned int*)result;
  unsigned int old = *p, seen;
  do {
    seen = old;
    old = atomicCAS(p, seen, __float_as_uint(combine(__uint_as_float(seen), v, op)));
  } while (seen != old);
}

__global__ void init(float* result, int op) { *result = identity(op); }

// every thread adds its own value: atomics keep it safe
__global__ void reduce_all(const float* values, float* result, int n, int op) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) combine_into(result, values[i], op);
}

void reduction(const float* values, float* result, int n, int op) {
  init<<<1, 1>>>(result, op);
  if (n == 0) return;
  reduce_all<<<(n + 255) / 256, 256>>>(values, result, n, op);
}
