// Rung 4: fewer blocks, more values for each.
//
// Zeroing and merging a private histogram is the price of a block, whatever the block counts. A
// grid that just fills the device pays it as rarely as possible: each thread takes many values, a
// whole grid apart, so that warps still read side by side. Global atomics: at most blocks *
// num_bins.
#include "histogram.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

constexpr int kBlock = 256;
constexpr int kBlocksPerMultiprocessor = 4;
constexpr size_t kSharedBytes = 48 * 1024;

__global__ void count_private(const unsigned int* values, unsigned int* bins, size_t n,
                              unsigned int num_bins) {
  extern __shared__ unsigned int mine[];
  for (unsigned int bin = threadIdx.x; bin < num_bins; bin += blockDim.x) mine[bin] = 0;
  __syncthreads();

  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const unsigned int value = values[i];
    if (value < num_bins) atomicAdd(&mine[value], 1u);
  }
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < num_bins; bin += blockDim.x) {
    if (mine[bin] > 0) atomicAdd(&bins[bin], mine[bin]);
  }
}

__global__ void count_global(const unsigned int* values, unsigned int* bins, size_t n,
                             unsigned int num_bins) {
  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const unsigned int value = values[i];
    if (value < num_bins) atomicAdd(&bins[value], 1u);
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  const size_t bytes = num_bins * sizeof(unsigned int);
  CHECK(cudaMemsetAsync(bins, 0, bytes));
  if (n == 0) return;

  int multiprocessors = 0;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  const int needed = static_cast<int>((static_cast<size_t>(n) + kBlock - 1) / kBlock);
  const int blocks = std::min(needed, multiprocessors * kBlocksPerMultiprocessor);
  if (bytes <= kSharedBytes) {
    count_private<<<blocks, kBlock, bytes>>>(values, bins, n, num_bins);
  } else {
    count_global<<<blocks, kBlock>>>(values, bins, n, num_bins);
  }
  CHECK(cudaGetLastError());
}
