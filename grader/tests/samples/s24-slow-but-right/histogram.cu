#include "histogram.h"

#include <cuda_runtime.h>

__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  // Each thread has its own piece of the input.
  int threads = gridDim.x * blockDim.x;
  int piece = (n + threads - 1) / threads;
  int begin = (blockIdx.x * blockDim.x + threadIdx.x) * piece;
  for (int i = begin; i < begin + piece && i < n; i++) {
    unsigned int v = values[i];
    if (v < (unsigned)num_bins) atomicAdd(&bins[v], 1u);
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, sizeof(unsigned int) * num_bins);
  if (n > 0) count<<<32, 128>>>(values, bins, n, num_bins);
}
