#include "histogram.h"

#include <cuda_runtime.h>

__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  extern __shared__ unsigned int hist[];
  for (int b = threadIdx.x; b < num_bins; b += blockDim.x) hist[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    if (values[i] < num_bins) atomicAdd(&hist[values[i]], 1);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < num_bins; b += blockDim.x) bins[b] += hist[b];
}

__global__ void count_large(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && values[i] < num_bins) atomicAdd(&bins[values[i]], 1);
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(int));
  if (n == 0) return;
  if (num_bins <= 10000)
    count<<<108, 512, num_bins * sizeof(int)>>>(values, bins, n, num_bins);
  else
    count_large<<<(n + 511) / 512, 512>>>(values, bins, n, num_bins);
}
