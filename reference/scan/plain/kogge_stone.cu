// Kogge-Stone in each block, then the totals of the blocks.
#include "scan.h"

#include <cuda_runtime.h>

#define BLOCK 256

__global__ void scan_blocks(const float* x, float* y, float* totals, int n, int exclusive) {
  __shared__ float temp[BLOCK];
  int t = threadIdx.x;
  int i = blockIdx.x * BLOCK + t;
  temp[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < BLOCK; d *= 2) {
    float left = 0;
    if (t >= d) left = temp[t - d];
    __syncthreads();
    temp[t] += left;
    __syncthreads();
  }
  float before = 0;
  if (t > 0) before = temp[t - 1];
  if (i < n) y[i] = exclusive ? before : temp[t];
  if (t == BLOCK - 1) totals[blockIdx.x] = temp[t];
}

__global__ void add_totals(float* y, const float* before, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) y[i] += before[blockIdx.x];
}

void scan_all(const float* x, float* y, int n, int exclusive) {
  int blocks = (n + BLOCK - 1) / BLOCK;
  float *totals, *before;
  cudaMalloc(&totals, blocks * sizeof(float));
  cudaMalloc(&before, blocks * sizeof(float));
  scan_blocks<<<blocks, BLOCK>>>(x, y, totals, n, exclusive);
  if (blocks > 1) {
    scan_all(totals, before, blocks, 1);
    add_totals<<<blocks, BLOCK>>>(y, before, n);
  }
  cudaFree(totals);
  cudaFree(before);
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  scan_all(values, sums, n, exclusive);
}
