// Rung 5: a run of equal values is one update.
//
// Real data repeat themselves: the sky of a picture, the blanks of a text. Each thread remembers
// the bin of its last value and how often it has come in a row, in registers, and touches memory
// only when the bin changes. A constant array costs one atomic per thread. Where values do not
// repeat, the comparison is for nothing, and it splits warps: some lanes have a run to write,
// others do not.
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

// Counts every step-th value from `first` on into counts[0] to counts[num_bins - 1].
__device__ void count_runs(const unsigned int* values, size_t first, size_t step, size_t n,
                           unsigned int* counts, unsigned int num_bins) {
  unsigned int bin = num_bins;  // of the run under way; num_bins: of no bin
  unsigned int length = 0;
  for (size_t i = first; i < n; i += step) {
    const unsigned int value = values[i];
    if (value == bin) {
      ++length;
    } else {
      if (bin < num_bins) atomicAdd(&counts[bin], length);
      bin = value;
      length = 1;
    }
  }
  if (bin < num_bins) atomicAdd(&counts[bin], length);  // the last run ends with the values
}

__global__ void count_private(const unsigned int* values, unsigned int* bins, size_t n,
                              unsigned int num_bins) {
  extern __shared__ unsigned int mine[];
  for (unsigned int bin = threadIdx.x; bin < num_bins; bin += blockDim.x) mine[bin] = 0;
  __syncthreads();

  const size_t first = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  count_runs(values, first, static_cast<size_t>(gridDim.x) * blockDim.x, n, mine, num_bins);
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < num_bins; bin += blockDim.x) {
    if (mine[bin] > 0) atomicAdd(&bins[bin], mine[bin]);
  }
}

__global__ void count_global(const unsigned int* values, unsigned int* bins, size_t n,
                             unsigned int num_bins) {
  const size_t first = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  count_runs(values, first, static_cast<size_t>(gridDim.x) * blockDim.x, n, bins, num_bins);
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
