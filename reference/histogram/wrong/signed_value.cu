// verdict: fails-safety
// pitfall: P18
// caught-by: finding oob-global-write
// As an int 4294967295 is -1, which is below num_bins.
#include "histogram.h"

#include <cuda_runtime.h>

__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int v = values[i];
    if (v < num_bins) atomicAdd(&bins[v], 1);
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  if (n == 0) return;
  count<<<(n + 255) / 256, 256>>>(values, bins, n, num_bins);
}
