// verdict: fails-safety
// pitfall: P33
// caught-by: finding race-global
// Nothing makes the sum visible before the flag that announces it.
#include "scan.h"

#include <cuda_runtime.h>

#define BLOCK 256

__global__ void scan_chain(const float* x, float* y, float* prefix, volatile int* flag,
                           int* counter, int n, int exclusive) {
  __shared__ float temp[BLOCK];
  __shared__ int drawn;
  __shared__ float carry;
  int t = threadIdx.x;
  if (t == 0) drawn = atomicAdd(counter, 1);
  __syncthreads();
  int tile = drawn;
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
      sum = prefix[tile - 1];
    }
    prefix[tile] = sum + temp[BLOCK - 1];
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
  int *flag, *counter;
  cudaMalloc(&prefix, blocks * sizeof(float));
  cudaMalloc(&flag, blocks * sizeof(int));
  cudaMalloc(&counter, sizeof(int));
  cudaMemset(flag, 0, blocks * sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  scan_chain<<<blocks, BLOCK>>>(values, sums, prefix, flag, counter, n, exclusive);
  cudaFree(prefix);
  cudaFree(flag);
  cudaFree(counter);
}
