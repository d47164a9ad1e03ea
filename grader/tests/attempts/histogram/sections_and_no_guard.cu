#include "histogram.h"

#include <cuda_runtime.h>

#define THREADS 256
#define BLOCKS 64

// each thread counts its own section
__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  int section = (n - 1) / (THREADS * BLOCKS) + 1;
  int start = tid * section;
  for (int i = start; i < start + section; i++) {
    unsigned int v = values[i];
    if (v < num_bins) atomicAdd(&bins[v], 1);
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  if (n == 0) return;
  count<<<BLOCKS, THREADS>>>(values, bins, n, num_bins);
}
