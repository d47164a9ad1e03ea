// verdict: fails-safety
// pitfall: P17
// caught-by: finding oob-global-write
// Characters are signed: those from 128 on are negative, and so is their bin.
#include "text_histogram.h"

#include <cuda_runtime.h>

constexpr int kBins = 8;
constexpr int kOther = 7;
constexpr int kBlock = 256;

__device__ int bin_of(signed char c) {
  if (c > 'z' || (c > 'Z' && c < 'a') || (c >= 0 && c < 'A')) return kOther;
  return (c >= 'a' ? c - 'a' : c - 'A') / 4;
}

__global__ void count(const unsigned char* text, unsigned int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[bin_of(static_cast<signed char>(text[i]))], 1);
}

void text_histogram(const unsigned char* text, unsigned int* bins, int n) {
  cudaMemsetAsync(bins, 0, kBins * sizeof(unsigned int));
  if (n == 0) return;
  count<<<(n + kBlock - 1) / kBlock, kBlock>>>(text, bins, n);
}
