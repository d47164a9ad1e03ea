#include "histogram.h"

#include <cuda_runtime.h>

__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned int v = values[i];
    if (v < num_bins) atomicAdd(&bins[v], 1);
  }
}

// Each block counts in shared memory first.
__global__ void count_privately(const unsigned int* values, unsigned int* bins, int n,
                                int num_bins) {
  extern __shared__ unsigned int own[];

  if (threadIdx.x < num_bins) own[threadIdx.x] = 0;
  __syncthreads();

  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned int v = values[i];
    if (v < num_bins) atomicAdd(&own[v], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < num_bins; b += blockDim.x)
    if (own[b] > 0) atomicAdd(&bins[b], own[b]);
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  if (n == 0) return;
  int blocks = (n + 255) / 256;
  if (num_bins <= 4096) {
    if (blocks > 216) blocks = 216;
    count_privately<<<blocks, 256, num_bins * sizeof(unsigned int)>>>(values, bins, n, num_bins);
  } else {
    count<<<blocks, 256>>>(values, bins, n, num_bins);
  }
  if (cudaGetLastError() != cudaSuccess) return;
}
