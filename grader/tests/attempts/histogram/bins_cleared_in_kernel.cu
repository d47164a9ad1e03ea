#include "histogram.h"

#include <cuda_runtime.h>

__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // clear the bins first
  if (i < num_bins) bins[i] = 0;
  __syncthreads();
  if (i < n) {
    if (values[i] < (unsigned int)num_bins) {
      atomicAdd(&bins[values[i]], 1);
    }
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int size = n > num_bins ? n : num_bins;
  count<<<(size + 255) / 256, 256>>>(values, bins, n, num_bins);
}
