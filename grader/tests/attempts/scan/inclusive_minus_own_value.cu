#include "scan.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void scan_blocks(const float* values, float* sums, float* totals, int n, int exclusive) {
  __shared__ float temp[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  const float value = i < n ? values[i] : 0;
  temp[t] = value;
  __syncthreads();

  for (int d = 1; d < kBlock; d *= 2) {
    float left = 0;
    if (t >= d) left = temp[t - d];
    __syncthreads();
    temp[t] += left;
    __syncthreads();
  }

  if (i < n) {
    if (exclusive)
      sums[i] = temp[t] - value;
    else
      sums[i] = temp[t];
  }
  if (t == kBlock - 1) totals[blockIdx.x] = temp[t];
}

// Adds to each element the sum of all blocks before its own.
__global__ void add_before(float* sums, const float* before, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) sums[i] += before[blockIdx.x];
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  const int blocks = (n + kBlock - 1) / kBlock;
  float *totals, *before;
  cudaMalloc(&totals, blocks * sizeof(float));
  cudaMalloc(&before, blocks * sizeof(float));
  scan_blocks<<<blocks, kBlock>>>(values, sums, totals, n, exclusive);
  if (cudaGetLastError() == cudaSuccess && blocks > 1) {
    scan(totals, before, blocks, 1);
    add_before<<<blocks, kBlock>>>(sums, before, n);
    if (cudaGetLastError() != cudaSuccess) sums = nullptr;
  }
  cudaFree(totals);
  cudaFree(before);
}
