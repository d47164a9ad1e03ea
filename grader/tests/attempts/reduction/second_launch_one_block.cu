#include "reduction.h"

#include <cuda_runtime.h>

#include <math_constants.h>

__device__ float identity(int op) {
  if (op == kSum) return 0;
  if (op == kMin) return CUDART_INF_F;
  if (op == kMax) return -CUDART_INF_F;
  return 1;
}

__device__ float combine(float a, float b, int op) {
  if (op == kSum) return a + b;
  if (op == kMin) return a < b ? a : b;
  if (op == kMax) return a > b ? a : b;
  return a * b;
}

__global__ void reduce_blocks(const float* values, float* block_results, int n, int op) {
  __shared__ float sm[256];
  int tid = threadIdx.x;
  int gid = blockIdx.x * blockDim.x + tid;
  sm[tid] = (gid < n) ? values[gid] : identity(op);
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) sm[tid] = combine(sm[tid], sm[tid + s], op);
    __syncthreads();
  }
  if (tid == 0) block_results[blockIdx.x] = sm[0];
}

void reduction(const float* values, float* result, int n, int op) {
  int blocks = (n + 255) / 256;
  if (blocks == 0) blocks = 1;
  float* d_partial;
  cudaMalloc(&d_partial, blocks * sizeof(float));
  reduce_blocks<<<blocks, 256>>>(values, d_partial, n, op);
  // the partial results fit in one block
  reduce_blocks<<<1, 256>>>(d_partial, result, blocks, op);
  cudaFree(d_partial);
}
