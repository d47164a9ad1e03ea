// Rung 3: every block counts for itself.
//
// A block has a private histogram in its shared memory. Its atomics stay on the multiprocessor,
// many times faster than in the second-level cache, and only the block's own threads meet there. At
// the end the block adds its counts to the result: one global atomic per bin, not one per value.
// With one thread for each value a block has 256 values and up to num_bins counts to hand over, so
// this gains little as yet where the bins are as many as the values of a block; rung 4 mends that.
//
// Bins that do not fit into the 48 KiB that every kernel may use are counted as in rung 2.
#include "histogram.h"

#include <cuda_runtime.h>

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
constexpr size_t kSharedBytes = 48 * 1024;

__global__ void count_private(const unsigned int* values, unsigned int* bins, size_t n,
                              unsigned int num_bins) {
  extern __shared__ unsigned int mine[];
  // Whatever a block finds in its shared memory is left over from another one. The loop serves any
  // number of bins, fewer than the block has threads or more.
  for (unsigned int bin = threadIdx.x; bin < num_bins; bin += blockDim.x) mine[bin] = 0;
  __syncthreads();  // no count before all of them are 0

  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    const unsigned int value = values[i];
    if (value < num_bins) atomicAdd(&mine[value], 1u);
  }
  __syncthreads();  // no merge before all have counted; a thread without a value waits here, too

  // Other blocks merge at the same time, so this takes an atomic. Most blocks have bins without a
  // value, which there is no need to add.
  for (unsigned int bin = threadIdx.x; bin < num_bins; bin += blockDim.x) {
    if (mine[bin] > 0) atomicAdd(&bins[bin], mine[bin]);
  }
}

__global__ void count_global(const unsigned int* values, unsigned int* bins, size_t n,
                             unsigned int num_bins) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    const unsigned int value = values[i];
    if (value < num_bins) atomicAdd(&bins[value], 1u);
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  const size_t bytes = num_bins * sizeof(unsigned int);
  CHECK(cudaMemsetAsync(bins, 0, bytes));
  if (n == 0) return;

  const unsigned int blocks = (static_cast<unsigned int>(n) + kBlock - 1) / kBlock;
  if (bytes <= kSharedBytes) {
    count_private<<<blocks, kBlock, bytes>>>(values, bins, n, num_bins);  // the third is in bytes
  } else {
    count_global<<<blocks, kBlock>>>(values, bins, n, num_bins);
  }
  CHECK(cudaGetLastError());
}
