#include "histogram.h"

#include <cuda_runtime.h>

#define MAX_BINS 4096

__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  __shared__ unsigned int s_bins[MAX_BINS];
  if (threadIdx.x < num_bins) s_bins[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned int v = values[i];
    if (v < num_bins) atomicAdd(&s_bins[v], 1);
  }
  __syncthreads();
  if (threadIdx.x < num_bins) atomicAdd(&bins[threadIdx.x], s_bins[threadIdx.x]);
}

__global__ void count_many(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (values[i] < num_bins) atomicAdd(&bins[values[i]], 1);
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  if (n == 0) return;
  if (num_bins <= MAX_BINS)
    count<<<(n + 255) / 256, 256>>>(values, bins, n, num_bins);
  else
    count_many<<<(n + 255) / 256, 256>>>(values, bins, n, num_bins);
}
