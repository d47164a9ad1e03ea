// lab:     scan
// does:    copies the values to the output and scans them in place
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include "scan.h"

__global__ void scan_blocks(float* sums, float* totals, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  __shared__ float shared[256];
  shared[threadIdx.x] = i < n ? sums[i] : 0;
  for (int step = 1; step < 256; step *= 2) {
    __syncthreads();
    const float other = threadIdx.x >= step ? shared[threadIdx.x - step] : 0;
    __syncthreads();
    shared[threadIdx.x] += other;
  }
  // The first of a block is what it was.
  if (i < n && threadIdx.x > 0) sums[i] = shared[threadIdx.x];
  if (threadIdx.x == 255) totals[blockIdx.x] = shared[255];
}

__global__ void add_before(float* sums, const float* totals, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n && blockIdx.x > 0) sums[i] += totals[blockIdx.x - 1];
}

void scan_in_place(float* sums, int n) {
  const int blocks = (n + 255) / 256;
  float* totals;
  cudaMalloc(&totals, blocks * sizeof(float));
  scan_blocks<<<blocks, 256>>>(sums, totals, n);
  if (blocks > 1) {
    scan_in_place(totals, blocks);
    add_before<<<blocks, 256>>>(sums, totals, n);
  }
  cudaFree(totals);
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  if (exclusive == 0) {
    cudaMemcpy(sums, values, n * sizeof(float), cudaMemcpyDeviceToDevice);
  } else {
    cudaMemset(sums, 0, sizeof(float));
    cudaMemcpy(sums + 1, values, (n - 1) * sizeof(float), cudaMemcpyDeviceToDevice);
  }
  scan_in_place(sums, n);
}
