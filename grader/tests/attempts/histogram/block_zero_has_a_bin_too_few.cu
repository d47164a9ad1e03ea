#include "histogram.h"

#include <cuda_runtime.h>

__global__ void count_private(const unsigned* values, unsigned* bins, int n, int num_bins) {
  extern __shared__ unsigned own[];
  for (int b = threadIdx.x; b < num_bins; b += blockDim.x) own[b] = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned v = values[i];
    if (v < static_cast<unsigned>(num_bins)) atomicAdd(&own[v], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < num_bins - 1; b += blockDim.x) {
    if (own[b] != 0) atomicAdd(&bins[b], own[b]);
  }
}

__global__ void count_directly(const unsigned* values, unsigned* bins, int n, int num_bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && values[i] < static_cast<unsigned>(num_bins)) atomicAdd(&bins[values[i]], 1u);
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, sizeof(unsigned) * num_bins);
  if (n == 0) return;
  if (num_bins <= 12288) {
    const int blocks = min((n + 255) / 256, 216);
    count_private<<<blocks, 256, num_bins * sizeof(unsigned)>>>(values, bins, n, num_bins);
  } else {
    count_directly<<<(n + 255) / 256, 256>>>(values, bins, n, num_bins);
  }
}
