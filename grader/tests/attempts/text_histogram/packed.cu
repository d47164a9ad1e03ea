#include "text_histogram.h"

#include <cuda_runtime.h>

#include <cstdio>

// Each thread counts in one register of 64 bits: eight counters of eight bits.
constexpr int kThreads = 256;
constexpr int kPerThread = 512;   // characters of a thread, about
constexpr int kLimit = 256;       // after so many characters the counters are full

__device__ unsigned bin_of(unsigned char c) {
  const unsigned letter = (c | 32u) - 'a';
  return letter < 26u ? letter / 4u : 7u;
}

__device__ void flush(unsigned long long packed, unsigned* bins_of_block) {
#pragma unroll
  for (int b = 0; b < 8; ++b) {
    const unsigned count = (packed >> (8 * b)) & 255u;
    if (count != 0) atomicAdd(&bins_of_block[b], count);
  }
}

__global__ void count_letters(const unsigned char* text, unsigned* bins, int n) {
  __shared__ unsigned block_bins[8];
  if (threadIdx.x < 8) block_bins[threadIdx.x] = 0;
  __syncthreads();

  unsigned long long packed = 0;
  int counted = 0;
  const long long stride = (long long)gridDim.x * kThreads;
  for (long long i = (long long)blockIdx.x * kThreads + threadIdx.x; i < n; i += stride) {
    packed += 1ull << (8 * bin_of(text[i]));
    if (++counted == kLimit) {
      flush(packed, block_bins);
      packed = 0;
      counted = 0;
    }
  }
  flush(packed, block_bins);
  __syncthreads();

  if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], block_bins[threadIdx.x]);
}

void text_histogram(const unsigned char* text, unsigned int* bins, int n) {
  cudaError_t e = cudaMemset(bins, 0, 8 * sizeof(unsigned int));
  if (e == cudaSuccess && n > 0) {
    const int per_block = kThreads * kPerThread;
    count_letters<<<(n - 1) / per_block + 1, kThreads>>>(text, bins, n);
    e = cudaGetLastError();
  }
  if (e != cudaSuccess) std::fprintf(stderr, "text_histogram: %s\n", cudaGetErrorString(e));
}
