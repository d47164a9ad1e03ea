// verdict: times-out
// pitfall: P32
// caught-by: finding deadlock
// All blocks wait for each other, and not all of them fit on the device at once.
#include "scan.h"

#include <cuda_runtime.h>

#define BLOCK 1024

__global__ void scan_blocks(const float* x, float* y, volatile float* totals, int* arrived, int n,
                            int exclusive) {
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
  if (t == BLOCK - 1) {
    totals[blockIdx.x] = temp[t];
    __threadfence();
    atomicAdd(arrived, 1);
  }
  if (t == 0) {
    while (*(volatile int*)arrived < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  __shared__ float carry;
  if (t == 0) {
    carry = 0;
    for (int b = 0; b < blockIdx.x; b++) carry += totals[b];
  }
  __syncthreads();
  if (i < n) y[i] = carry + (exclusive ? before : temp[t]);
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  int blocks = (n + BLOCK - 1) / BLOCK;
  float* totals;
  int* arrived;
  cudaMalloc(&totals, blocks * sizeof(float));
  cudaMalloc(&arrived, sizeof(int));
  cudaMemset(arrived, 0, sizeof(int));
  scan_blocks<<<blocks, BLOCK>>>(values, sums, totals, arrived, n, exclusive);
  cudaFree(totals);
  cudaFree(arrived);
}
