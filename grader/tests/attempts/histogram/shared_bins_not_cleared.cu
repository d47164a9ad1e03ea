#include "histogram.h"

#include <cuda_runtime.h>

#define PRIVATE_BINS 1024

__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  __shared__ unsigned int priv[PRIVATE_BINS];
  const bool use_shared = num_bins <= PRIVATE_BINS;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned int v = values[i];
    if (v < num_bins) {
      if (use_shared)
        atomicAdd(&priv[v], 1);
      else
        atomicAdd(&bins[v], 1);
    }
  }
  __syncthreads();
  if (use_shared) {
    for (int b = threadIdx.x; b < num_bins; b += blockDim.x) atomicAdd(&bins[b], priv[b]);
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  if (n == 0) return;
  count<<<(n + 255) / 256, 256>>>(values, bins, n, num_bins);
}
