// lab:     reduction
// does:    has a table of device functions, and the host copies one of its pointers to the kernel
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include "reduction.h"

using Operator = float (*)(float, float);

__device__ float add(float a, float b) {
  return a + b;
}
__device__ float smaller(float a, float b) {
  return fminf(a, b);
}
__device__ float larger(float a, float b) {
  return fmaxf(a, b);
}
__device__ float times(float a, float b) {
  return a * b;
}

__device__ Operator operators[4] = {add, smaller, larger, times};

__global__ void reduce(const float* values, float* out, int n, Operator combine, float identity) {
  __shared__ float part[256];
  float mine = identity;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    mine = combine(mine, values[i]);
  }
  part[threadIdx.x] = mine;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (threadIdx.x < d) part[threadIdx.x] = combine(part[threadIdx.x], part[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

void reduction(const float* values, float* result, int n, int op) {
  Operator combine;
  cudaMemcpyFromSymbol(&combine, operators, sizeof(combine), op * sizeof(Operator));
  const float identities[4] = {0, INFINITY, -INFINITY, 1};
  constexpr int kBlocks = 40;
  float* parts = nullptr;
  cudaMalloc(&parts, kBlocks * sizeof(float));
  reduce<<<kBlocks, 256>>>(values, parts, n, combine, identities[op]);
  reduce<<<1, 256>>>(parts, result, kBlocks, combine, identities[op]);
  cudaFree(parts);
}
