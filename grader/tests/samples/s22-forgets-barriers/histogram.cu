#include "histogram.h"

#include <cuda_runtime.h>

__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  extern __shared__ unsigned int local[];
  for (int b = threadIdx.x; b < num_bins; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    if (values[i] < num_bins) atomicAdd(&local[values[i]], 1);
  }
  for (int b = threadIdx.x; b < num_bins; b += blockDim.x) atomicAdd(&bins[b], local[b]);
}

__global__ void count_global(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && values[i] < num_bins) atomicAdd(&bins[values[i]], 1);
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  if (n == 0) return;
  if (num_bins <= 8192)
    count<<<64, 256, num_bins * sizeof(unsigned int)>>>(values, bins, n, num_bins);
  else
    count_global<<<(n + 255) / 256, 256>>>(values, bins, n, num_bins);
}
