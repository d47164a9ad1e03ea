#include "histogram.h"

#include <cuda_runtime.h>

#define MAX_BINS 4096

__global__ void hist_shared(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  __shared__ unsigned int local[MAX_BINS];
  for (int b = threadIdx.x; b < num_bins; b += blockDim.x) local[b] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned int v = values[i];
    if (v < num_bins) local[v] = local[v] + 1;
  }
  __syncthreads();
  for (int b = threadIdx.x; b < num_bins; b += blockDim.x)
    if (local[b]) atomicAdd(&bins[b], local[b]);
}

__global__ void hist_global(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && values[i] < num_bins) atomicAdd(&bins[values[i]], 1);
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  if (n == 0) return;
  int blocks = (n + 255) / 256;
  if (num_bins <= MAX_BINS)
    hist_shared<<<blocks, 256>>>(values, bins, n, num_bins);
  else
    hist_global<<<blocks, 256>>>(values, bins, n, num_bins);
}
