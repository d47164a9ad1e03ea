#include "histogram.h"

__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && values[i] < (unsigned)num_bins) atomicAdd(&bins[values[i]], 1);
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  if (n > 0) count<<<(n + 255) / 256, 256>>>(values, bins, n, num_bins);
}
