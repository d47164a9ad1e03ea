#include "reduction.h"

#include <cuda_runtime.h>

#include <math_constants.h>

__device__ float combine(float a, float b, int op) {
  if (op == kSum) return a + b;
  if (op == kMin) return fminf(a, b);
  if (op == kMax) return fmaxf(a, b);
  return a * b;
}

__global__ void fill_identity(float* result, int op) {
  if (op == kSum) *result = 0.0f;
  if (op == kMin) *result = CUDART_INF_F;
  if (op == kMax) *result = -CUDART_INF_F;
  if (op == kProduct) *result = 1.0f;
}

__global__ void reduce_blocks(const float* values, float* block_results, int n, int op) {
  __shared__ float s[256];
  int first = blockIdx.x * 256;
  int count = min(256, n - first);
  int t = threadIdx.x;
  if (t < count) s[t] = values[first + t];
  __syncthreads();
  // halve the values that are left
  for (int half = count / 2; half > 0; half /= 2) {
    if (t < half) s[t] = combine(s[t], s[t + half], op);
    __syncthreads();
  }
  if (t == 0) block_results[blockIdx.x] = s[0];
}

void reduction(const float* values, float* result, int n, int op) {
  if (n == 0) {
    fill_identity<<<1, 1>>>(result, op);
    return;
  }
  if (n <= 256) {
    reduce_blocks<<<1, 256>>>(values, result, n, op);
    return;
  }
  int blocks = (n + 255) / 256;
  float* p;
  cudaMalloc(&p, blocks * sizeof(float));
  reduce_blocks<<<blocks, 256>>>(values, p, n, op);
  reduction(p, result, blocks, op);
  cudaFree(p);
}
