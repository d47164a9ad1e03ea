// verdict: fails-safety
// pitfall: P17
// caught-by: finding oob-global-write
// A signed char as index: values of 128 and more count before the bins.
#include "histogram.h"

#include <cuda_runtime.h>

__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (values[i] >= num_bins) return;
    if (num_bins <= 256) {
      signed char v = values[i];  // a byte is enough for 256 bins
      atomicAdd(&bins[v], 1);
    } else {
      atomicAdd(&bins[values[i]], 1);
    }
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  if (n == 0) return;
  count<<<(n + 255) / 256, 256>>>(values, bins, n, num_bins);
}
