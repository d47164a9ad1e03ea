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

__device__ void combine_into(float* result, float v, int op) {
  if (op == kSum) {
    atomicAdd(result, v);
    return;
  }
  // for the others compare bits as integers
  int* p = (int*)result;
  if (op == kMin) {
    atomicMin(p, __float_as_int(v));
  } else if (op == kMax) {
    atomicMax(p, __float_as_int(v));
  } else {
    int old = *p;
    int seen;
    do {
      seen = old;
      old = atomicCAS(p, seen, __float_as_int(__int_as_float(seen) * v));
    } while (seen != old);
  }
}

__global__ void init(float* result, int op) { *result = identity(op); }

__global__ void reduce_blocks(const float* values, float* result, int n, int op) {
  __shared__ float s[256];
  float v = identity(op);
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    v = combine(v, values[i], op);
  }
  s[threadIdx.x] = v;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (threadIdx.x < d) s[threadIdx.x] = combine(s[threadIdx.x], s[threadIdx.x + d], op);
    __syncthreads();
  }
  if (threadIdx.x == 0) combine_into(result, s[0], op);
}

void reduction(const float* values, float* result, int n, int op) {
  init<<<1, 1>>>(result, op);
  if (n == 0) return;
  int blocks = (n + 255) / 256;
  reduce_blocks<<<blocks < 432 ? blocks : 432, 256>>>(values, result, n, op);
}
