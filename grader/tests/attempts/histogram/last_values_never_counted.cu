#include "histogram.h"

#include <cuda_runtime.h>

__global__ void count(const unsigned int* values, unsigned int* bins, int num_bins) {
  unsigned int v = values[blockIdx.x * blockDim.x + threadIdx.x];
  if (v < num_bins) atomicAdd(&bins[v], 1);
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  const int threads = 128;
  const int blocks = n / threads;
  if (n > 0) count<<<blocks, threads>>>(values, bins, num_bins);
}
