#include "reduction.h"

#include <cuda_runtime.h>

#define B 256

__device__ float combine(float x, float y, int op) {
  if (op == 0) return x + y;
  if (op == 1) return x < y ? x : y;
  if (op == 2) return x > y ? x : y;
  return x * y;
}

__device__ float identity(int op) {
  if (op == 0) return 0;
  if (op == 1) return __int_as_float(0x7f800000);
  if (op == 2) return -__int_as_float(0x7f800000);
  return 1;
}

__global__ void tree(const float* in, float* out, int n, int op) {
  __shared__ float s[B];
  int i = blockIdx.x * B * 2 + threadIdx.x;
  float x = i < n ? in[i] : identity(op);
  if (i + B < n) x = combine(x, in[i + B], op);
  s[threadIdx.x] = x;
  for (int stride = B / 2; stride >= 32; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride)
      s[threadIdx.x] = combine(s[threadIdx.x], s[threadIdx.x + stride], op);
  }
  // a warp works in step, so no more barriers
  if (threadIdx.x < 16) s[threadIdx.x] = combine(s[threadIdx.x], s[threadIdx.x + 16], op);
  if (threadIdx.x < 8) s[threadIdx.x] = combine(s[threadIdx.x], s[threadIdx.x + 8], op);
  if (threadIdx.x < 4) s[threadIdx.x] = combine(s[threadIdx.x], s[threadIdx.x + 4], op);
  if (threadIdx.x < 2) s[threadIdx.x] = combine(s[threadIdx.x], s[threadIdx.x + 2], op);
  if (threadIdx.x == 0) out[blockIdx.x] = combine(s[0], s[1], op);
}

void reduction(const float* values, float* result, int n, int op) {
  int blocks = (n + 2 * B - 1) / (2 * B);
  if (blocks <= 1) {
    tree<<<1, B>>>(values, result, n, op);
    return;
  }
  float* partial;
  cudaMalloc(&partial, blocks * sizeof(float));
  tree<<<blocks, B>>>(values, partial, n, op);
  reduction(partial, result, blocks, op);
  cudaFree(partial);
}
