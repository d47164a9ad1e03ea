#include "scan.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void scan_blocks(const float* values, float* sums, float* totals, int n, int exclusive) {
  __shared__ float temp[kBlock];
  int t = threadIdx.x;
  int i = blockIdx.x * kBlock + t;
  temp[t] = i < n ? values[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    float v = t >= d ? temp[t - d] : 0.0f;
    __syncthreads();
    temp[t] += v;
    __syncthreads();
  }
  if (i < n) sums[i] = exclusive ? (t > 0 ? temp[t - 1] : 0.0f) : temp[t];
  if (t == kBlock - 1) totals[blockIdx.x] = temp[t];
}

__global__ void add_before(float* sums, const float* before, int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) sums[i] += before[blockIdx.x];
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  int blocks = (n + kBlock - 1) / kBlock;
  float *totals, *before;
  cudaMalloc(&totals, blocks);
  cudaMalloc(&before, blocks);
  scan_blocks<<<blocks, kBlock>>>(values, sums, totals, n, exclusive);
  if (blocks > 1) {
    scan(totals, before, blocks, 1);
    add_before<<<blocks, kBlock>>>(sums, before, n);
  }
}
