// Rung 7: every warp counts for itself.
//
// Privatisation once more: a block keeps several histograms, one for each of its warps where they
// fit, and its warps no longer meet on a hot bin. The price is in zeroing and merging, which grow
// with the number of copies, and in shared memory. Lanes of one warp still meet: rung 8.
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
constexpr int kWarp = 32;

__global__ void count_private(const unsigned int* values, unsigned int* bins, size_t n,
                              unsigned int num_bins, unsigned int copies) {
  extern __shared__ unsigned int all_copies[];
  for (unsigned int i = threadIdx.x; i < copies * num_bins; i += blockDim.x) all_copies[i] = 0;
  __syncthreads();

  unsigned int* mine = all_copies + threadIdx.x / kWarp % copies * num_bins;
  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const unsigned int value = values[i];
    if (value < num_bins) atomicAdd(&mine[value], 1u);  // several warps may share a copy
  }
  __syncthreads();

  // The copies are added up here, so that a bin still costs one global atomic per block.
  for (unsigned int bin = threadIdx.x; bin < num_bins; bin += blockDim.x) {
    unsigned int sum = 0;
    for (unsigned int copy = 0; copy < copies; ++copy) sum += all_copies[copy * num_bins + bin];
    if (sum > 0) atomicAdd(&bins[bin], sum);
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
  const size_t copies = std::min<size_t>(kSharedBytes / bytes, kBlock / kWarp);
  if (copies > 0) {
    count_private<<<blocks, kBlock, copies * bytes>>>(values, bins, n, num_bins,
                                                      static_cast<unsigned int>(copies));
  } else {
    count_global<<<blocks, kBlock>>>(values, bins, n, num_bins);
  }
  CHECK(cudaGetLastError());
}
