// Rung 9: four values in one load.
//
// Once counting costs one pass per warp, reading the values is all that is left, and the device is
// kept busy best with many bytes in flight: 16 per thread and load, in a quarter of the
// instructions. A uint4 must lie at a multiple of 16 bytes, and the contract promises 4: up to
// three values before the first such address, and up to three after the last, are counted one by
// one.
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
constexpr unsigned int kSharedWords = 8192;

__global__ void count(const unsigned int* values, unsigned int* bins, size_t n,
                      unsigned int num_bins, unsigned int range, unsigned int copies) {
  extern __shared__ unsigned int counts[];
  const unsigned int first = blockIdx.y * range;
  const unsigned int size = min(range, num_bins - first);
  for (unsigned int i = threadIdx.x; i < size * copies; i += blockDim.x) counts[i] = 0;
  __syncthreads();

  const unsigned int copy = threadIdx.x % copies;
  const auto add = [&](unsigned int value) {
    const unsigned int bin = value - first;
    if (bin < size) atomicAdd(&counts[bin * copies + copy], 1u);
  };
  const size_t thread = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  const size_t to_aligned = (16 - reinterpret_cast<size_t>(values) % 16) % 16 / sizeof(*values);
  const size_t head = to_aligned < n ? to_aligned : n;
  const size_t quads = (n - head) / 4;
  const uint4* wide = reinterpret_cast<const uint4*>(values + head);
  for (size_t i = thread; i < quads; i += step) {
    const uint4 four = wide[i];
    add(four.x);
    add(four.y);
    add(four.z);
    add(four.w);
  }
  // A few threads of block 0 take what is left: 0 to 3 values in front, 0 to 3 behind.
  if (thread < head) add(values[thread]);
  const size_t rest = head + 4 * quads + thread;
  if (rest < n) add(values[rest]);
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < size; bin += blockDim.x) {
    unsigned int sum = 0;
    for (unsigned int k = 0; k < copies; ++k) sum += counts[bin * copies + (k + bin) % copies];
    if (sum > 0) atomicAdd(&bins[first + bin], sum);
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  CHECK(cudaMemsetAsync(bins, 0, num_bins * sizeof(unsigned int)));
  if (n == 0) return;

  int multiprocessors = 0;
  int most_bytes = 0;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));

  const unsigned int most_words = most_bytes / sizeof(unsigned int);
  const unsigned int range = std::min<unsigned int>(num_bins, most_words);
  const unsigned int ranges = (num_bins + range - 1) / range;
  unsigned int copies = kLanes;
  while (copies > 1 && copies * range > kSharedWords) copies /= 2;

  const unsigned int words = copies * range;
  const unsigned int values_a_block = std::max<unsigned int>(words, 4 * kBlock);
  const int needed = static_cast<int>((n + size_t{values_a_block} - 1) / values_a_block);
  const dim3 blocks(std::min(needed, multiprocessors), ranges);
  const int bytes = words * sizeof(unsigned int);
  CHECK(cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  count<<<blocks, kBlock, bytes>>>(values, bins, n, num_bins, range, copies);
  CHECK(cudaGetLastError());
}
