#include "histogram.h"

#include <cuda_runtime.h>

__global__ void hist(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    unsigned int v = values[i];
    if (v < (unsigned int)num_bins) {
      atomicAdd(bins + v, 1u);
    }
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  hist<<<120, 256>>>(values, bins, n, num_bins);
}
