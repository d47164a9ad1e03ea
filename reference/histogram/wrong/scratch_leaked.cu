// verdict: fails-safety
// pitfall: P46
// caught-by: finding leak
// The blocks' counts are never freed.
#include "histogram.h"

#include <cuda_runtime.h>

// Block b counts in its own part of `parts`.
__global__ void count(const unsigned int* values, unsigned int* parts, int n, int num_bins) {
  unsigned int* mine = parts + blockIdx.x * num_bins;
  for (int b = threadIdx.x; b < num_bins; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned int v = values[i];
    if (v < num_bins) atomicAdd(&mine[v], 1);
  }
}

__global__ void merge(const unsigned int* parts, unsigned int* bins, int num_parts, int num_bins) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= num_bins) return;
  unsigned int sum = 0;
  for (int part = 0; part < num_parts; ++part) sum += parts[part * num_bins + b];
  bins[b] = sum;
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int blocks = 108;
  unsigned int* parts;
  cudaMalloc(&parts, blocks * num_bins * sizeof(unsigned int));
  count<<<blocks, 1024>>>(values, parts, n, num_bins);
  merge<<<(num_bins + 255) / 256, 256>>>(parts, bins, blocks, num_bins);
}
