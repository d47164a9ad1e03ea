#include "reduction.h"

#include <cuda_runtime.h>
#include <cfloat>
#include <math.h>

// The identity element
__device__ float identity(int op) {
  switch (op) {
    case kSum: return 0.0f;
    case kMin: return INFINITY;
    case kMax: return FLT_MIN;
    default: return 1.0f;
  }
}

__device__ float combine(float a, float b, int op) {
  switch (op) {
    case kSum: return a + b;
    case kMin: return fminf(a, b);
    case kMax: return fmaxf(a, b);
    default: return a * b;
  }
}

__global__ void reduce_blocks(const float* values, float* block_results, int n, int op) {
  __shared__ float part[256];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 256 + t;
  part[t] = i < n ? values[i] : identity(op);
  __syncthreads();
  for (int stride = 128; stride > 0; stride >>= 1) {
    if (t < stride) part[t] = combine(part[t], part[t + stride], op);
    __syncthreads();
  }
  if (t == 0) block_results[blockIdx.x] = part[0];
}

void reduction(const float* values, float* result, int n, int op) {
  int blocks = (n + 255) / 256;
  if (blocks <= 1) {
    reduce_blocks<<<1, 256>>>(values, result, n, op);
    if (cudaGetLastError() != cudaSuccess) return;
    return;
  }
  float* scratch;
  if (cudaMalloc(&scratch, blocks * sizeof(float)) != cudaSuccess) return;
  reduce_blocks<<<blocks, 256>>>(values, scratch, n, op);
  if (cudaGetLastError() == cudaSuccess) reduction(scratch, result, blocks, op);
  cudaFree(scratch);
}
