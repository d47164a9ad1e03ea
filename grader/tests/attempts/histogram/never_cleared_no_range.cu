#include "histogram.h"

#include <cuda_runtime.h>

__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) atomicAdd(&bins[values[i]], 1);
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  if (n == 0) return;
  int grid = (n + 255) / 256;
  count<<<grid, 256>>>(values, bins, n, num_bins);
}
