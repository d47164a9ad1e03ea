#include "scan.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void scan_blocks(const float* values, float* sums, float* totals, int n, int exclusive) {
  __shared__ float temp[kBlock];
  int t = threadIdx.x;
  int i = blockIdx.x * kBlock + t;
  temp[t] = i < n ? values[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < kBlock; d <<= 1) {
    float x = 0;
    if (t >= d) x = temp[t - d];
    __syncthreads();
    temp[t] += x;
    __syncthreads();
  }
  if (i < n) {
    if (exclusive)
      sums[i] = t ? temp[t - 1] : 0.0f;
    else
      sums[i] = temp[t];
  }
  if (t == 0 && totals) totals[blockIdx.x] = temp[kBlock - 1];
}

__global__ void add_before(float* sums, const float* before, int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) sums[i] += before[blockIdx.x];
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  int blocks = (n + kBlock - 1) / kBlock;
  if (blocks == 1) {
    scan_blocks<<<1, kBlock>>>(values, sums, nullptr, n, exclusive);
    return;
  }
  float *totals, *scanned;
  cudaMalloc(&totals, blocks * sizeof(float));
  cudaMalloc(&scanned, blocks * sizeof(float));
  scan_blocks<<<blocks, kBlock>>>(values, sums, totals, n, exclusive);
  scan(totals, scanned, blocks, exclusive);
  add_before<<<blocks, kBlock>>>(sums, scanned, n);
  cudaFree(totals);
  cudaFree(scanned);
}
