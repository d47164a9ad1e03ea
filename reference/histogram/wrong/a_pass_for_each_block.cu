// verdict: fails-concept
// pitfall: P75
// caught-by: concept loads-once
// Each block reads all values and counts those of a few bins.
#include "histogram.h"

#include <cuda_runtime.h>

__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  // No merging: only block k counts bins k * 32 to k * 32 + 31.
  __shared__ unsigned int mine[32];
  int first = blockIdx.x * 32;
  if (threadIdx.x < 32) mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    unsigned int v = values[i];
    if (v < num_bins && v / 32 == blockIdx.x) atomicAdd(&mine[v % 32], 1);
  }
  __syncthreads();
  int b = first + threadIdx.x;
  if (threadIdx.x < 32 && b < num_bins) bins[b] = mine[threadIdx.x];
}

// For bins that do not fit into shared memory.
__global__ void count_many(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned int v = values[i];
    if (v < num_bins) atomicAdd(&bins[v], 1);
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  if (n == 0) return;
  int blocks = (n + 255) / 256;
  if (blocks > 432) blocks = 432;
  if (num_bins <= 4096) {
    count<<<(num_bins + 31) / 32, 1024>>>(values, bins, n, num_bins);
  } else {
    count_many<<<blocks, 256>>>(values, bins, n, num_bins);
  }
}
