#include "reduction.h"

#include <cuda_runtime.h>

#include <math_constants.h>

__device__ float identity(int op) {
  if (op == kMin) return CUDART_INF_F;
  if (op == kMax) return -CUDART_INF_F;
  return op == kProduct ? 1.0f : 0.0f;
}

__device__ float combine(float a, float b, int op) {
  if (op == kMin) return fminf(a, b);
  if (op == kMax) return fmaxf(a, b);
  return op == kProduct ? a * b : a + b;
}

__global__ void reduce_blocks(const float* values, float* block_results, int n, int op) {
  __shared__ float s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) {
    s[threadIdx.x] = values[i];
    __syncthreads();
  } else {
    s[threadIdx.x] = identity(op);
  }
  for (int k = 128; k > 0; k /= 2) {
    if (threadIdx.x < k) {
      s[threadIdx.x] = combine(s[threadIdx.x], s[threadIdx.x + k], op);
      __syncthreads();
    }
  }
  if (threadIdx.x == 0) block_results[blockIdx.x] = s[0];
}

void reduction(const float* values, float* result, int n, int op) {
  int blocks = n == 0 ? 1 : (n + 255) / 256;
  float* scratch;
  cudaMalloc(&scratch, 2 * blocks * sizeof(float));
  float* a = scratch;
  float* b = scratch + blocks;
  reduce_blocks<<<blocks, 256>>>(values, a, n, op);
  while (blocks > 1) {
    int next = (blocks + 255) / 256;
    reduce_blocks<<<next, 256>>>(a, b, blocks, op);
    float* t = a;
    a = b;
    b = t;
    blocks = next;
  }
  cudaMemcpy(result, a, sizeof(float), cudaMemcpyDeviceToDevice);
  cudaFree(scratch);
}
