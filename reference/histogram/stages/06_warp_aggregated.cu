// Rung 6: the lanes of a warp with equal values update once.
//
// __match_any_sync tells each lane which lanes of the warp hold the same value. The lowest of them
// adds their number for all. However skewed the data, no two lanes of a warp meet on one counter:
// a constant array costs one update per warp and step. The price is the match for every value,
// which buys nothing where the values differ anyway. It also helps the bins that stay in global
// memory, where rungs 2 to 4 collapse on skewed data.
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
constexpr unsigned int kAllLanes = 0xffffffffu;

// Counts what the calling block has of the values into counts[0] to counts[num_bins - 1].
__device__ void count_matches(const unsigned int* values, size_t n, unsigned int* counts,
                              unsigned int num_bins) {
  const unsigned int lane = threadIdx.x % kWarp;
  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  const size_t thread = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  // The condition is the warp's, not the lane's: the match waits for all 32 lanes, so those beyond
  // the end go along with a value that is in no bin.
  for (size_t warp_first = thread - lane; warp_first < n; warp_first += step) {
    const size_t i = warp_first + lane;
    const unsigned int value = i < n ? values[i] : num_bins;
    const unsigned int same = __match_any_sync(kAllLanes, value);
    const bool lowest = lane == __ffs(same) - 1u;
    if (lowest && value < num_bins)
      atomicAdd(&counts[value], static_cast<unsigned int>(__popc(same)));
  }
}

__global__ void count_private(const unsigned int* values, unsigned int* bins, size_t n,
                              unsigned int num_bins) {
  extern __shared__ unsigned int mine[];
  for (unsigned int bin = threadIdx.x; bin < num_bins; bin += blockDim.x) mine[bin] = 0;
  __syncthreads();

  count_matches(values, n, mine, num_bins);
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < num_bins; bin += blockDim.x) {
    if (mine[bin] > 0) atomicAdd(&bins[bin], mine[bin]);
  }
}

__global__ void count_global(const unsigned int* values, unsigned int* bins, size_t n,
                             unsigned int num_bins) {
  count_matches(values, n, bins, num_bins);
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
