#include "histogram.h"

#include <cuda_runtime.h>

__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  const int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    const unsigned int v = values[i];
    atomicAdd(&bins[v % num_bins], 1u);  // never out of bounds
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  if (n == 0) return;
  int blocks = (n + 255) / 256;
  if (blocks > 432) blocks = 432;
  count<<<blocks, 256>>>(values, bins, n, num_bins);
}
