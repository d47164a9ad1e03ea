// verdict: fails-concept
// pitfall: P62
// caught-by: concept coalesced
// Right, but each thread counts a section of its own.
#include "text_histogram.h"

#include <cuda_runtime.h>

#include <algorithm>

constexpr int kBins = 8;
constexpr int kOther = 7;
constexpr int kBlock = 256;

__device__ int bin_of(unsigned char c) {
  const unsigned letter = (c | 32u) - 'a';  // small and capital letters differ in one bit
  return letter < 26 ? letter / 4 : kOther;
}

// Eight counters of eight bits in one register.
struct Counters {
  unsigned long long packed = 0;

  __device__ void add(unsigned char c) { packed += 1ull << (8 * bin_of(c)); }

  // Before a counter can exceed 255.
  __device__ void flush(unsigned int* shared) {
    for (int b = 0; b < kBins; ++b) {
      unsigned int sum = (packed >> (8 * b)) & 255;
      for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
      if (threadIdx.x % 32 == 0 && sum > 0) atomicAdd(&shared[b], sum);
    }
    packed = 0;
  }
};

__global__ void count(const unsigned char* text, unsigned int* bins, int n) {
  __shared__ unsigned int mine[kBins];
  if (threadIdx.x < kBins) mine[threadIdx.x] = 0;
  __syncthreads();
  Counters counters;
  const int stride = gridDim.x * blockDim.x;
  // All lanes of a warp do the same number of rounds: they flush together.
  const int section = (n - 1) / stride + 1;
  const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * section;
  for (int k = 0; k < section; ++k) {
    if (begin + k < n) counters.add(text[begin + k]);
    if (k % 255 == 254) counters.flush(mine);
  }
  counters.flush(mine);
  __syncthreads();
  if (threadIdx.x < kBins) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

void text_histogram(const unsigned char* text, unsigned int* bins, int n) {
  cudaMemsetAsync(bins, 0, kBins * sizeof(unsigned int));
  if (n == 0) return;
  const int blocks =
      std::min((n + kBlock - 1) / kBlock, 864);  // eight for each of 108 multiprocessors
  count<<<blocks, kBlock>>>(text, bins, n);
}
