// verdict: fails-safety
// pitfall: P22
// caught-by: finding race-shared
// The tile is counted before it is complete.
#include "histogram.h"

#include <cuda_runtime.h>

// Loads 1024 values into shared memory; each thread counts four neighbours of them.
__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  __shared__ unsigned int tile[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) {
    int i = blockIdx.x * 1024 + k;
    tile[k] = i < n ? values[i] : 0xffffffff;
  }
  for (int k = 4 * threadIdx.x; k < 4 * threadIdx.x + 4; ++k) {
    if (tile[k] < num_bins) atomicAdd(&bins[tile[k]], 1);
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  if (n == 0) return;
  count<<<(n + 1023) / 1024, 256>>>(values, bins, n, num_bins);
}
