// lab:     reduction
// does:    prints partial results in the kernel, whose last block combines them
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <cstdio>

#include "reduction.h"

constexpr int kBlock = 128;

__device__ unsigned finished;

__device__ float combine(float a, float b, int op) {
  return op == kSum ? a + b : op == kMin ? fminf(a, b) : op == kMax ? fmaxf(a, b) : a * b;
}

__global__ void reduce(const float* values, volatile float* parts, float* result, int n, int op) {
  __shared__ float part[kBlock];
  __shared__ bool last;
  float mine = op == kSum ? 0 : op == kMin ? INFINITY : op == kMax ? -INFINITY : 1;
  const float none = mine;
  for (long long i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) {
    mine = combine(mine, values[i], op);
  }
  for (int round = 0; round < 2; ++round) {
    part[threadIdx.x] = mine;
    __syncthreads();
    for (int d = kBlock / 2; d > 0; d /= 2) {
      if (threadIdx.x < d)
        part[threadIdx.x] = combine(part[threadIdx.x], part[threadIdx.x + d], op);
      __syncthreads();
    }
    if (round == 1) break;
    if (threadIdx.x == 0) {
      printf("block %d of %d: %g\n", blockIdx.x, gridDim.x, part[0]);
      parts[blockIdx.x] = part[0];
      __threadfence();
      last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    mine = none;
    for (int i = threadIdx.x; i < gridDim.x; i += kBlock) mine = combine(mine, parts[i], op);
  }
  if (threadIdx.x == 0) {
    *result = part[0];
    finished = 0;
  }
}

void reduction(const float* values, float* result, int n, int op) {
  const int blocks = n < 20 * kBlock ? 1 : 20;
  float* parts = nullptr;
  cudaMalloc(&parts, blocks * sizeof(float));
  reduce<<<blocks, kBlock>>>(values, parts, result, n, op);
  cudaFree(parts);
}
