#include "text_histogram.h"

#include <cuda_runtime.h>

constexpr int kBlock = 128;
constexpr int kBlocks = 8;

__device__ unsigned long long bin_of(unsigned c) {
  const unsigned letter = (c | 32u) - 'a';
  return letter < 26 ? letter / 4 : 7;
}

__device__ void give(unsigned long long packed, unsigned* to) {
  for (int b = 0; b < 8; ++b) {
    const unsigned number = packed >> (8 * b) & 255;
    if (number > 0) atomicAdd(&to[b], number);
  }
}

__global__ void count(const unsigned char* text, unsigned* bins, int n) {
  __shared__ unsigned own[8];
  if (threadIdx.x < 8) own[threadIdx.x] = 0;
  __syncthreads();
  unsigned long long packed = 0;
  for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += kBlocks * kBlock) {
    packed += 1ull << (8 * bin_of(text[i]));
  }
  give(packed, own);
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

void text_histogram(const unsigned char* text, unsigned int* bins, int n) {
  cudaMemset(bins, 0, 8 * sizeof(unsigned));
  if (n == 0) return;
  count<<<kBlocks, kBlock>>>(text, bins, n);
}
