#include "scan.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void scan_blocks(const float* values, float* sums, float* totals, int n, int exclusive) {
  __shared__ float temp[kBlock];
  int t = threadIdx.x;
  int i = blockIdx.x * kBlock + t;
  if (i < n) {
    temp[t] = values[i];
    __syncthreads();
    for (int d = 1; d < kBlock; d *= 2) {
      float v = t >= d ? temp[t - d] : 0.0f;
      __syncthreads();
      temp[t] += v;
      __syncthreads();
    }
    if (exclusive)
      sums[i] = t > 0 ? temp[t - 1] : 0.0f;
    else
      sums[i] = temp[t];
    if (t == kBlock - 1) totals[blockIdx.x] = temp[t];
  }
}

__global__ void add_before(float* sums, const float* before, int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) sums[i] += before[blockIdx.x];
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  int blocks = (n + kBlock - 1) / kBlock;
  float* totals;
  float* before;
  cudaMalloc(&totals, blocks * sizeof(float));
  cudaMalloc(&before, blocks * sizeof(float));
  cudaMemset(totals, 0, blocks * sizeof(float));
  scan_blocks<<<blocks, kBlock>>>(values, sums, totals, n, exclusive);
  if (blocks > 1) {
    scan(totals, before, blocks, 1);
    add_before<<<blocks, kBlock>>>(sums, before, n);
  }
  cudaFree(totals);
  cudaFree(before);
}
