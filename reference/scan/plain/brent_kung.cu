// Brent-Kung in each block, then the totals of the blocks.
#include "scan.h"

#include <cuda_runtime.h>

#define BLOCK 256
#define TILE 512

__global__ void scan_blocks(const float* x, float* y, float* totals, int n, int exclusive) {
  __shared__ float temp[TILE];
  int t = threadIdx.x;
  int begin = blockIdx.x * TILE;
  temp[t] = begin + t < n ? x[begin + t] : 0.0f;
  temp[t + BLOCK] = begin + t + BLOCK < n ? x[begin + t + BLOCK] : 0.0f;
  for (int stride = 1; stride <= BLOCK; stride *= 2) {
    __syncthreads();
    int index = (t + 1) * stride * 2 - 1;
    if (index < TILE) temp[index] += temp[index - stride];
  }
  for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
    __syncthreads();
    int index = (t + 1) * stride * 2 - 1;
    if (index + stride < TILE) temp[index + stride] += temp[index];
  }
  __syncthreads();
  for (int k = t; k < TILE && begin + k < n; k += BLOCK) {
    if (exclusive)
      y[begin + k] = k > 0 ? temp[k - 1] : 0.0f;
    else
      y[begin + k] = temp[k];
  }
  if (t == 0) totals[blockIdx.x] = temp[TILE - 1];
}

__global__ void add_totals(float* y, const float* before, int n) {
  int i = blockIdx.x * TILE + threadIdx.x;
  if (i < n) y[i] += before[blockIdx.x];
  if (i + BLOCK < n) y[i + BLOCK] += before[blockIdx.x];
}

void scan_all(const float* x, float* y, int n, int exclusive) {
  int blocks = (n + TILE - 1) / TILE;
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
