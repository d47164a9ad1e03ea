// Rung 2: neighbouring threads take neighbouring values.
//
// The grid walks over the values together: each thread takes one and then the one a whole grid
// further on. A warp now reads 32 values side by side, 4 sectors instead of up to 32. What remains
// is the traffic of atomics: still one for each value, to counters that all blocks share.
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
constexpr int kBlocksPerMultiprocessor = 8;

__global__ void count(const unsigned int* values, unsigned int* bins, size_t n,
                      unsigned int num_bins) {
  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const unsigned int value = values[i];
    if (value < num_bins) atomicAdd(&bins[value], 1u);
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  CHECK(cudaMemsetAsync(bins, 0, num_bins * sizeof(unsigned int)));
  if (n == 0) return;

  int multiprocessors = 0;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  const int needed = static_cast<int>((static_cast<size_t>(n) + kBlock - 1) / kBlock);
  const int blocks = std::min(needed, multiprocessors * kBlocksPerMultiprocessor);
  count<<<blocks, kBlock>>>(values, bins, n, num_bins);
  CHECK(cudaGetLastError());
}
