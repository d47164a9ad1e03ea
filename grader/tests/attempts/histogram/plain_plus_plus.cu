#include "histogram.h"

#include <cuda_runtime.h>

__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && values[i] < num_bins) {
    bins[values[i]]++;
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, sizeof(unsigned int) * num_bins);
  int threads = 256;
  int blocks = (n + threads - 1) / threads;
  count<<<blocks, threads>>>(values, bins, n, num_bins);
}
