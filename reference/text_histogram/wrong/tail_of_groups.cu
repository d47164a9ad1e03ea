// verdict: fails-correctness
// pitfall: P13
// caught-by: case "phrase"
// What is left over after groups of 16 is not counted.
#include "text_histogram.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

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

  __device__ void add_four(unsigned int word) {
#pragma unroll
    for (int k = 0; k < 32; k += 8) add(word >> k & 255);
  }

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

__global__ void __launch_bounds__(kBlock)
    count(const unsigned char* text, unsigned int* bins, int n) {
  __shared__ unsigned int mine[kBins];
  if (threadIdx.x < kBins) mine[threadIdx.x] = 0;
  __syncthreads();
  Counters counters;
  // Up to 15 characters before the first aligned address, then groups of 16, then the rest.
  const int head =
      min(n, static_cast<int>((16 - reinterpret_cast<std::uintptr_t>(text) % 16) % 16));
  const int groups = (n - head) / 16;
  const uint4* const body = reinterpret_cast<const uint4*>(text + head);
  if (blockIdx.x == 0) {
    const int i = threadIdx.x;
    if (i < head) counters.add(text[i]);
  }
  const int stride = gridDim.x * blockDim.x;
  int rounds = 0;
  for (int first = blockIdx.x * blockDim.x; first < groups; first += stride) {
    const int g = first + threadIdx.x;
    if (g < groups) {
      const uint4 four = body[g];
      counters.add_four(four.x);
      counters.add_four(four.y);
      counters.add_four(four.z);
      counters.add_four(four.w);
    }
    if (++rounds == 15) {  // at most 242 characters
      counters.flush(mine);
      rounds = 0;
    }
  }
  counters.flush(mine);
  __syncthreads();
  if (threadIdx.x < kBins) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

void text_histogram(const unsigned char* text, unsigned int* bins, int n) {
  cudaMemsetAsync(bins, 0, kBins * sizeof(unsigned int));
  if (n == 0) return;
  const int blocks = std::min((n + 16 * kBlock - 1) / (16 * kBlock),
                              864);  // eight for each of 108 multiprocessors
  count<<<blocks, kBlock>>>(text, bins, n);
}
