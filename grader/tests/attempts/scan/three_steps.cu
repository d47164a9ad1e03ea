#include "scan.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

// Step 1: every block on its own, doubling distances.
__global__ void scan_blocks(const float* values, float* sums, float* totals, int n, int exclusive) {
  __shared__ float temp[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  temp[t] = i < n ? values[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    const float before = t >= d ? temp[t - d] : 0.0f;
    __syncthreads();
    temp[t] += before;
    __syncthreads();
  }
  if (i < n) {
    if (exclusive) {
      sums[i] = t == 0 ? 0.0f : temp[t - 1];
    } else {
      sums[i] = temp[t];
    }
  }
  if (t == kBlock - 1) totals[blockIdx.x] = temp[t];
}

// Step 3: `before` holds the inclusive sums of the totals, so block b needs element b - 1.
__global__ void add_before(float* sums, const float* before, int n, int exclusive) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n || blockIdx.x == 0) return;
  if (exclusive && threadIdx.x == 0) return;  // nothing is before the first one, it stays 0
  sums[i] += before[blockIdx.x - 1];
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  const int blocks = (n + kBlock - 1) / kBlock;

  float* totals = nullptr;
  if (cudaMalloc(&totals, 2 * blocks * sizeof(float)) != cudaSuccess) return;
  float* scanned = totals + blocks;

  scan_blocks<<<blocks, kBlock>>>(values, sums, totals, n, exclusive);
  if (cudaGetLastError() == cudaSuccess && blocks > 1) {
    scan(totals, scanned, blocks, 0);  // step 2: as many levels as it takes
    add_before<<<blocks, kBlock>>>(sums, scanned, n, exclusive);
    cudaGetLastError();
  }
  cudaFree(totals);
}
