#include "histogram.h"
#include <cuda_runtime.h>

#define T 512

// grid stride, straight into global memory
__global__ void count(const unsigned int *values, unsigned int *bins, int n, int num_bins)
{
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    unsigned int bin = values[i];
    if (bin >= (unsigned int)num_bins)
      bin = num_bins - 1;
    atomicAdd(bins + bin, 1u);
  }
}

void histogram(const unsigned int *values, unsigned int *bins, int n, int num_bins)
{
  cudaMemset(bins, 0, sizeof(unsigned int) * num_bins);
  if (n > 0) {
    int grid = (n + T - 1) / T;
    if (grid > 432) grid = 432;
    count<<<grid, T>>>(values, bins, n, num_bins);
    cudaGetLastError();
  }
}
