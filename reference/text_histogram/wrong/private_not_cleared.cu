// verdict: fails-safety
// pitfall: P35
// caught-by: finding unwritten-shared-read
// The private counters are not initialized.
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

__global__ void count(const unsigned char* text, unsigned int* bins, int n) {
  __shared__ unsigned int mine[kBins];
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    atomicAdd(&mine[bin_of(text[i])], 1);
  }
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
