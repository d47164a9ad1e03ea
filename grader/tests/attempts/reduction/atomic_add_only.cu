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

__global__ void init(float* result, int op) { *result = identity(op); }

__global__ void reduce_blocks(const float* values, float* result, int n, int op) {
  __shared__ float s[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? values[i] : identity(op);
  __syncthreads();
  for (int stride = 128; stride > 0; stride >>= 1) {
    if (threadIdx.x < stride)
      s[threadIdx.x] = combine(s[threadIdx.x], s[threadIdx.x + stride], op);
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    if (op == kSum) {
      atomicAdd(result, s[0]);
    } else {
      *result = combine(*result, s[0], op);
    }
  }
}

void reduction(const float* values, float* result, int n, int op) {
  init<<<1, 1>>>(result, op);
  if (n == 0) return;
  reduce_blocks<<<(n + 255) / 256, 256>>>(values, result, n, op);
}
