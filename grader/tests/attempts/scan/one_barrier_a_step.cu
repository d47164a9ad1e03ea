#include "scan.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void scan_blocks(const float* values, float* sums, float* totals, int n, int exclusive) {
  __shared__ float temp[kBlock];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  if (i < n) {
    temp[t] = values[i];
  } else {
    temp[t] = 0;
  }
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (t >= stride) temp[t] = temp[t] + temp[t - stride];
  }
  __syncthreads();
  if (i < n) {
    if (exclusive) {
      sums[i] = t == 0 ? 0.0f : temp[t - 1];
    } else {
      sums[i] = temp[t];
    }
  }
  if (t == kBlock - 1) totals[blockIdx.x] = temp[t];
}

__global__ void add_before(float* sums, const float* before, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] += before[blockIdx.x];
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  int blocks = (n + kBlock - 1) / kBlock;
  float* totals;
  cudaMalloc(&totals, 2 * blocks * sizeof(float));
  scan_blocks<<<blocks, kBlock>>>(values, sums, totals, n, exclusive);
  if (blocks > 1) {
    scan(totals, totals + blocks, blocks, 1);
    add_before<<<blocks, kBlock>>>(sums, totals + blocks, n);
  }
  cudaFree(totals);
}
