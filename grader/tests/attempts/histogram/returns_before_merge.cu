#include "histogram.h"

#include <cuda_runtime.h>

#define SMALL 2048

__global__ void count_shared(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  __shared__ unsigned int mine[SMALL];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int b = threadIdx.x; b < num_bins; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  unsigned int v = values[i];
  if (v < num_bins) atomicAdd(&mine[v], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < num_bins; b += blockDim.x) atomicAdd(&bins[b], mine[b]);
}

__global__ void count_global(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned int v = values[i];
  if (v < num_bins) atomicAdd(&bins[v], 1);
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  if (n == 0) return;
  int blocks = (n + 255) / 256;
  if (num_bins <= SMALL)
    count_shared<<<blocks, 256>>>(values, bins, n, num_bins);
  else
    count_global<<<blocks, 256>>>(values, bins, n, num_bins);
}
