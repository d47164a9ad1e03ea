#include "histogram.h"

#include <cuda_runtime.h>

__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int value = values[i];
    if (value < num_bins) {
      atomicAdd(&bins[value], 1);
    }
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  if (n == 0) return;
  count<<<(n + 255) / 256, 256>>>(values, bins, n, num_bins);
  cudaError_t e = cudaGetLastError();
  (void)e;
}
