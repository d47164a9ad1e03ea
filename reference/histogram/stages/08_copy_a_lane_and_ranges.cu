// Rung 8: all of shared memory, for few bins and for many.
//
// Few bins: up to 32 copies, one for each lane, interleaved: the copies of a bin lie side by side,
// counts[bin * copies + copy]. With 32 of them lane l's counters are all in bank l. No two lanes of
// a warp ever meet, neither on a counter nor in a bank, whatever the values are: every update of a
// warp is a single pass, for constant data as for random ones.
//
// Many bins: one copy, in more than the 48 KiB that a kernel gets unasked: a multiprocessor has 64
// to 228 KiB, and cudaFuncSetAttribute opens them. Bins that do not fit even so are dealt out in
// ranges: blockIdx.y says which range a block counts, and it skips all values outside. So the
// values are read once for each range: 2^20 bins in ranges of 40000 would read them 27 times. (A
// result of 27 passes is still right; the solution chooses another way there.)
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

constexpr int kBlock = 1024;
constexpr unsigned int kLanes = 32;
constexpr unsigned int kSharedWords = 8192;  // 32 KiB for copies: two blocks fit everywhere

__global__ void count(const unsigned int* values, unsigned int* bins, size_t n,
                      unsigned int num_bins, unsigned int range, unsigned int copies) {
  extern __shared__ unsigned int counts[];
  const unsigned int first = blockIdx.y * range;  // of the bins that this block counts
  const unsigned int size = min(range, num_bins - first);
  for (unsigned int i = threadIdx.x; i < size * copies; i += blockDim.x) counts[i] = 0;
  __syncthreads();

  const unsigned int copy = threadIdx.x % copies;
  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    // Unsigned, so that values below the range are wrapped to far above it: one comparison.
    const unsigned int bin = values[i] - first;
    if (bin < size) atomicAdd(&counts[bin * copies + copy], 1u);
  }
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < size; bin += blockDim.x) {
    // Each thread begins with another copy: if all began with copy 0 they would meet in a bank.
    unsigned int sum = 0;
    for (unsigned int k = 0; k < copies; ++k) sum += counts[bin * copies + (k + bin) % copies];
    if (sum > 0) atomicAdd(&bins[first + bin], sum);
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  CHECK(cudaMemsetAsync(bins, 0, num_bins * sizeof(unsigned int)));
  if (n == 0) return;

  int multiprocessors = 0;
  int most_bytes = 0;  // of shared memory that a block may have if it asks
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));

  const unsigned int most_words = most_bytes / sizeof(unsigned int);
  const unsigned int range = std::min<unsigned int>(num_bins, most_words);
  const unsigned int ranges = (num_bins + range - 1) / range;
  unsigned int copies = kLanes;
  while (copies > 1 && copies * range > kSharedWords) copies /= 2;

  // A block pays for `words` words of shared memory; let it have as many values at least.
  const unsigned int words = copies * range;
  const unsigned int values_a_block = std::max<unsigned int>(words, kBlock);
  const int needed = static_cast<int>((n + size_t{values_a_block} - 1) / values_a_block);
  const dim3 blocks(std::min(needed, multiprocessors), ranges);
  const int bytes = words * sizeof(unsigned int);
  CHECK(cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  count<<<blocks, kBlock, bytes>>>(values, bins, n, num_bins, range, copies);
  CHECK(cudaGetLastError());
}
