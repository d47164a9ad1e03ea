#include "scan.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void scan_blocks(const float* values, float* sums, int n, int exclusive) {
  __shared__ float temp[kBlock];
  int t = threadIdx.x;
  int i = blockIdx.x * kBlock + t;
  temp[t] = i < n ? values[i] : 0.0f;
  for (int d = 1; d < kBlock; d *= 2) {
    __syncthreads();
    float v = t >= d ? temp[t] + temp[t - d] : temp[t];
    __syncthreads();
    temp[t] = v;
  }
  __syncthreads();
  if (i < n) {
    sums[i] = exclusive ? (t == 0 ? 0 : temp[t - 1]) : temp[t];
  }
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  int blocks = (n + kBlock - 1) / kBlock;
  scan_blocks<<<blocks, kBlock>>>(values, sums, n, exclusive);
  // TODO: totals
}
