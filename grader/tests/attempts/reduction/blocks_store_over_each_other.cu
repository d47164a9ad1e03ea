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

__global__ void reduce_blocks(const float* values, float* result, int n, int op) {
  __shared__ float data[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[threadIdx.x] = i < n ? values[i] : identity(op);
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      data[threadIdx.x] = combine(data[threadIdx.x], data[threadIdx.x + s], op);
    __syncthreads();
  }
  if (threadIdx.x == 0) *result = data[0];
}

void reduction(const float* values, float* result, int n, int op) {
  int blocks = (n + 255) / 256;
  if (n == 0) blocks = 1;
  reduce_blocks<<<blocks, 256>>>(values, result, n, op);
}
