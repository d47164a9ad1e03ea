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

__global__ void reduce_blocks(const float* values, float* block_results, int n, int op) {
  __shared__ float s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  s[t] = i < n ? values[i] : identity(op);
  __syncthreads();
  for (int stride = 128; stride > 0; stride /= 2) {
    if (t < stride) s[t] = combine(s[t], s[t + stride], op);
    __syncthreads();
  }
  if (t == 0) block_results[blockIdx.x] = s[0];
}

void reduction(const float* values, float* result, int n, int op) {
  int blocks = (n + 255) / 256;
  float *from, *to;
  cudaMalloc(&from, (blocks + 1) * sizeof(float));
  cudaMalloc(&to, (blocks + 1) * sizeof(float));
  reduce_blocks<<<blocks, 256>>>(values, from, n, op);
  while (blocks > 1) {
    int m = blocks;
    blocks = (m + 255) / 256;
    reduce_blocks<<<blocks, 256>>>(from, to, m, op);
    float* x = from;
    from = to;
    to = x;
  }
  cudaMemcpy(result, from, sizeof(float), cudaMemcpyDeviceToDevice);
  cudaFree(from);
  cudaFree(to);
}
