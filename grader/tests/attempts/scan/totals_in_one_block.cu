#include "scan.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__device__ float block_scan(float v, float* temp) {
  int t = threadIdx.x;
  temp[t] = v;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    float x = t >= d ? temp[t - d] : 0.0f;
    __syncthreads();
    temp[t] += x;
    __syncthreads();
  }
  return temp[t];
}

__global__ void scan_blocks(const float* values, float* sums, float* totals, int n, int exclusive) {
  __shared__ float temp[kBlock];
  int i = blockIdx.x * kBlock + threadIdx.x;
  float v = i < n ? values[i] : 0.0f;
  float s = block_scan(v, temp);
  if (i < n) sums[i] = exclusive ? (threadIdx.x > 0 ? temp[threadIdx.x - 1] : 0.0f) : s;
  if (threadIdx.x == kBlock - 1) totals[blockIdx.x] = s;
}

__global__ void scan_totals(float* totals, int blocks) {
  __shared__ float temp[1024];
  float v = threadIdx.x < blocks ? totals[threadIdx.x] : 0.0f;
  float s = block_scan(v, temp);
  if (threadIdx.x < blocks) totals[threadIdx.x] = s;
}

__global__ void add_before(float* sums, const float* before, int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n && blockIdx.x > 0) sums[i] += before[blockIdx.x - 1];
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  int blocks = (n + kBlock - 1) / kBlock;
  float* totals;
  cudaMalloc(&totals, blocks * sizeof(float));
  scan_blocks<<<blocks, kBlock>>>(values, sums, totals, n, exclusive);
  scan_totals<<<1, 1024>>>(totals, blocks);
  add_before<<<blocks, kBlock>>>(sums, totals, n);
  cudaFree(totals);
}
