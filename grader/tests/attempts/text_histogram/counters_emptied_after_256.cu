#include "text_histogram.h"

#include <cuda_runtime.h>

constexpr int kBins = 8;
constexpr int kBlock = 128;

__device__ int bin_of(unsigned char c) {
  if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  if (c < 'a' || c > 'z') return 7;
  return (c - 'a') / 4;
}

// Adds the eight counters of eight bits, and begins again.
__device__ void give_away(unsigned int* mine, unsigned long long& packed) {
  for (int b = 0; b < kBins; ++b) {
    const unsigned int count = (packed >> (8 * b)) & 255;
    if (count > 0) atomicAdd(&mine[b], count);
  }
  packed = 0;
}

__global__ void count(const unsigned char* text, unsigned int* bins, int n) {
  __shared__ unsigned int mine[kBins];
  if (threadIdx.x < kBins) mine[threadIdx.x] = 0;
  __syncthreads();

  unsigned long long packed = 0;
  int counted = 0;
  for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) {
    packed += 1ull << (8 * bin_of(text[i]));
    if (++counted == 256) {
      give_away(mine, packed);
      counted = 0;
    }
  }
  give_away(mine, packed);
  __syncthreads();
  if (threadIdx.x < kBins) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

void text_histogram(const unsigned char* text, unsigned int* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned int));
  if (n == 0) return;
  int blocks = (n + kBlock - 1) / kBlock;
  if (blocks > 8) blocks = 8;
  count<<<blocks, kBlock>>>(text, bins, n);
  if (cudaGetLastError() != cudaSuccess) return;
}
