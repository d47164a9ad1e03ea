#include "histogram.h"

#include <cuda_runtime.h>

__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  int step = gridDim.x * blockDim.x;
  while (tid < n) {
    unsigned int v = values[tid];
    if (v <= num_bins) {
      atomicAdd(bins + v, 1u);
    }
    tid += step;
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins);
  if (n == 0) return;
  int blocks = (n + 255) / 256;
  if (blocks > 432) blocks = 432;
  count<<<blocks, 256>>>(values, bins, n, num_bins);
  if (cudaGetLastError() != cudaSuccess) return;
}
