#include "scan.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void scan_blocks(const float* values, float* sums, float* totals, int n, int exclusive) {
  __shared__ float buffer[2][kBlock];
  int t = threadIdx.x;
  int i = blockIdx.x * kBlock + t;
  int in = 0;
  int out = 1;
  buffer[in][t] = i < n ? values[i] : 0.0f;
  buffer[out][t] = 0.0f;
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    if (t >= d) {
      buffer[out][t] = buffer[in][t] + buffer[in][t - d];
    }
    __syncthreads();
    in = 1 - in;
    out = 1 - out;
  }
  if (i < n) {
    sums[i] = exclusive ? (t > 0 ? buffer[in][t - 1] : 0.0f) : buffer[in][t];
  }
  if (t == kBlock - 1) totals[blockIdx.x] = buffer[in][t];
}

__global__ void add_before(float* sums, const float* before, int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) sums[i] += before[blockIdx.x];
}

void scan(const float* values, float* sums, int n, int exclusive) {
  int blocks = (n + kBlock - 1) / kBlock;
  if (blocks == 0) return;
  float *totals, *before;
  cudaMalloc(&totals, blocks * sizeof(float));
  cudaMalloc(&before, blocks * sizeof(float));
  scan_blocks<<<blocks, kBlock>>>(values, sums, totals, n, exclusive);
  if (blocks > 1) {
    scan(totals, before, blocks, 1);
    add_before<<<blocks, kBlock>>>(sums, before, n);
  }
  cudaFree(totals);
  cudaFree(before);
}
