#include "histogram.h"
#include <cuda_runtime.h>

// Private histogram per block. To save shared memory, several counters are packed into one
// 32-bit word.
constexpr int kBlock = 256;
constexpr int kBits = 8;
constexpr int kPerWord = 32 / kBits;

__global__ void count_packed(const unsigned int* __restrict__ values, unsigned int* __restrict__ bins,
                             int n, int num_bins) {
  extern __shared__ unsigned int packed[];
  const int words = (num_bins + kPerWord - 1) / kPerWord;
  for (int w = threadIdx.x; w < words; w += kBlock) packed[w] = 0;
  __syncthreads();

  for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) {
    const unsigned int v = values[i];
    if (v < static_cast<unsigned int>(num_bins)) {
      atomicAdd(&packed[v / kPerWord], 1u << (v % kPerWord * kBits));
    }
  }
  __syncthreads();

  for (int b = threadIdx.x; b < num_bins; b += kBlock) {
    unsigned int c = packed[b / kPerWord] >> (b % kPerWord * kBits);
    if (kBits < 32) c &= (1ull << kBits) - 1;
    if (c > 0) atomicAdd(&bins[b], c);
  }
}

// Too many bins for shared memory: count directly.
__global__ void count_global(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n && values[i] < static_cast<unsigned int>(num_bins)) atomicAdd(&bins[values[i]], 1u);
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, static_cast<size_t>(num_bins) * sizeof(unsigned int));
  if (n == 0) return;
  const int blocks = (n + kBlock - 1) / kBlock;
  if (num_bins <= 4096) {
    const int words = (num_bins + kPerWord - 1) / kPerWord;
    count_packed<<<min(blocks, 216), kBlock, words * sizeof(unsigned int)>>>(values, bins, n, num_bins);
  } else {
    count_global<<<blocks, kBlock>>>(values, bins, n, num_bins);
  }
}
