// verdict: fails-correctness
// pitfall: P41
// caught-by: case "beyond the block sums"
// All totals in the shared memory of one block: for large n the launch is refused, unnoticed.
#include "scan.h"

#include <cuda_runtime.h>

#define BLOCK 64

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

__global__ void scan_totals(float* x, int n) {
  extern __shared__ float every[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) every[i] = x[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < n; i++) {
      float next = sum + every[i];
      every[i] = sum;
      sum = next;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = every[i];
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  int blocks = (n + BLOCK - 1) / BLOCK;
  float* totals;
  cudaMalloc(&totals, blocks * sizeof(float));
  scan_blocks<<<blocks, BLOCK>>>(values, sums, totals, n, exclusive);
  scan_totals<<<1, BLOCK, blocks * sizeof(float)>>>(totals, blocks);
  add_totals<<<blocks, BLOCK>>>(sums, totals, n);
  cudaFree(totals);
}
