// Bins of each block in shared memory, if they fit.
#include "histogram.h"

#include <cuda_runtime.h>

__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  extern __shared__ unsigned int mine[];
  for (int b = threadIdx.x; b < num_bins; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned int v = values[i];
    if (v < num_bins) atomicAdd(&mine[v], 1);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < num_bins; b += blockDim.x) {
    if (mine[b] > 0) atomicAdd(&bins[b], mine[b]);
  }
}

// For bins that do not fit into shared memory.
__global__ void count_many(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned int v = values[i];
    if (v < num_bins) atomicAdd(&bins[v], 1);
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  if (n == 0) return;
  int blocks = (n + 255) / 256;
  if (blocks > 432) blocks = 432;
  if (num_bins <= 12288) {
    count<<<blocks, 256, num_bins * sizeof(unsigned int)>>>(values, bins, n, num_bins);
  } else {
    count_many<<<blocks, 256>>>(values, bins, n, num_bins);
  }
}
