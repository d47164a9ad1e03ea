// verdict: times-out
// pitfall: P31
// caught-by: finding deadlock
// Block 0 takes the last tile, so each block waits for one that starts after it.
#include "scan.h"

#include <cuda_runtime.h>

#define BLOCK 1024

__global__ void scan_chain(const float* x, float* y, volatile float* prefix, volatile int* flag,
                           int n, int exclusive) {
  __shared__ float temp[BLOCK];
  __shared__ float carry;
  int t = threadIdx.x;
  int tile = gridDim.x - 1 - blockIdx.x;
  int i = tile * BLOCK + t;
  temp[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < BLOCK; d *= 2) {
    float left = 0;
    if (t >= d) left = temp[t - d];
    __syncthreads();
    temp[t] += left;
    __syncthreads();
  }
  if (t == 0) {
    float sum = 0;
    if (tile > 0) {
      while (flag[tile - 1] == 0) {
      }
      __threadfence();
      sum = prefix[tile - 1];
    }
    prefix[tile] = sum + temp[BLOCK - 1];
    __threadfence();
    flag[tile] = 1;
    carry = sum;
  }
  __syncthreads();
  float before = 0;
  if (t > 0) before = temp[t - 1];
  if (i < n) y[i] = carry + (exclusive ? before : temp[t]);
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  int blocks = (n + BLOCK - 1) / BLOCK;
  float* prefix;
  int* flag;
  cudaMalloc(&prefix, blocks * sizeof(float));
  cudaMalloc(&flag, blocks * sizeof(int));
  cudaMemset(flag, 0, blocks * sizeof(int));
  scan_chain<<<blocks, BLOCK>>>(values, sums, prefix, flag, n, exclusive);
  cudaFree(prefix);
  cudaFree(flag);
}
