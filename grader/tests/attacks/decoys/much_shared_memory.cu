// lab:     histogram
// does:    takes as much shared memory as a block may have, with cudaFuncSetAttribute
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <algorithm>

#include "histogram.h"

__global__ void count_range(const unsigned* values, unsigned* bins, int n, unsigned first,
                            unsigned end) {
  extern __shared__ unsigned own[];
  const unsigned width = end - first;
  for (unsigned b = threadIdx.x; b < width; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned value = values[i];
    if (value >= first && value < end) atomicAdd(&own[value - first], 1u);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < width; b += blockDim.x) {
    if (own[b] > 0) atomicAdd(&bins[first + b], own[b]);
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned));
  if (n == 0) return;
  int device = 0, most = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  cudaFuncSetAttribute(count_range, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
  const int at_once = most / static_cast<int>(sizeof(unsigned));
  const int blocks = std::min((n + 1023) / 1024, 16);
  for (int first = 0; first < num_bins; first += at_once) {
    const int end = std::min(num_bins, first + at_once);
    count_range<<<blocks, 512, (end - first) * sizeof(unsigned)>>>(values, bins, n, first, end);
  }
}
