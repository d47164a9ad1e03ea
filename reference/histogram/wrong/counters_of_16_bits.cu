// verdict: fails-correctness
// pitfall: P16
// caught-by: case "all equal"
// Two 16-bit counters to a word: 65536 equal values carry into the neighbour.
#include "histogram.h"

#include <cuda_runtime.h>

// A block counts 131072 values, two bins to a word: half the shared memory.
__global__ void count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  extern __shared__ unsigned int pairs[];
  for (int w = threadIdx.x; w < (num_bins + 1) / 2; w += blockDim.x) pairs[w] = 0;
  __syncthreads();
  int begin = blockIdx.x * 131072;
  int end = min(begin + 131072, n);
  for (int i = begin + threadIdx.x; i < end; i += blockDim.x) {
    unsigned int v = values[i];
    if (v < num_bins) atomicAdd(&pairs[v / 2], v % 2 == 0 ? 1u : 1u << 16);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < num_bins; b += blockDim.x) {
    unsigned int mine = b % 2 == 0 ? pairs[b / 2] & 0xffff : pairs[b / 2] >> 16;
    if (mine > 0) atomicAdd(&bins[b], mine);
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
  int blocks = (n + 131071) / 131072;
  if (num_bins <= 24000) {
    size_t bytes = (num_bins + 1) / 2 * sizeof(unsigned int);
    count<<<blocks, 1024, bytes>>>(values, bins, n, num_bins);
  } else {
    count_many<<<blocks * 8, 1024>>>(values, bins, n, num_bins);
  }
}
