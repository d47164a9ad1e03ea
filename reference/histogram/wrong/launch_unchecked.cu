// verdict: fails-correctness
// pitfall: P41
// caught-by: case "too large for shared memory"
// 400000 bytes of shared memory: the launch fails, and the error is not checked.
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

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  if (n == 0) return;
  int blocks = (n + 255) / 256;
  if (blocks > 432) blocks = 432;
  count<<<blocks, 256, num_bins * sizeof(unsigned int)>>>(values, bins, n, num_bins);
}
