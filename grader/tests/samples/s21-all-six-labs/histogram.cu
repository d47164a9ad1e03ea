#include "histogram.h"

#include <cuda_runtime.h>

typedef unsigned int uint;

__global__ void clear(uint* bins, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) bins[i] = 0u;
}

/* Counts into shared memory when all bins fit, else straight into the result. */
__global__ void count_values(const uint* values, uint* bins, int n, int num_bins, bool fits) {
  extern __shared__ uint mine[];
  if (fits) {
    for (int i = threadIdx.x; i < num_bins; i += blockDim.x) mine[i] = 0u;
    __syncthreads();
  }
  uint* target = fits ? mine : bins;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += (size_t)blockDim.x * gridDim.x) {
    const uint v = values[i];
    if (v < (uint)num_bins) atomicAdd(target + v, 1u);
  }
  if (!fits) return;  // all threads of the block alike
  __syncthreads();
  for (int i = threadIdx.x; i < num_bins; i += blockDim.x)
    if (mine[i] != 0u) atomicAdd(bins + i, mine[i]);
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  clear<<<(num_bins + 255) / 256, 256>>>(bins, num_bins);
  if (n == 0) return;
  const bool fits = num_bins * sizeof(uint) <= 48 * 1024;
  int blocks = (n + 256 * 8 - 1) / (256 * 8);
  if (blocks > 264) blocks = 264;
  count_values<<<blocks, 256, fits ? num_bins * sizeof(uint) : 0>>>(values, bins, n, num_bins, fits);
}
