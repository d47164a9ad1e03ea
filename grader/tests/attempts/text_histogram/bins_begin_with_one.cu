#include "text_histogram.h"

#include <cuda_runtime.h>

constexpr int kBins = 8;
constexpr int kOther = 7;
constexpr int kBlock = 256;

__device__ int bin_of(unsigned char c) {
  const unsigned letter = (c | 32u) - 'a';
  return letter < 26 ? (letter + 1) / 4 : kOther;
}

__global__ void count(const unsigned char* text, unsigned int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[bin_of(text[i])], 1);
}

void text_histogram(const unsigned char* text, unsigned int* bins, int n) {
  cudaMemsetAsync(bins, 0, kBins * sizeof(unsigned int));
  if (n == 0) return;
  count<<<(n + kBlock - 1) / kBlock, kBlock>>>(text, bins, n);
}
