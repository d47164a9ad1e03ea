#include "text_histogram.h"

#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 256;
constexpr int kBins = 8;
constexpr int kMost = 256;  // characters that fit into the small counters
constexpr int kPerThread = 1024;

__device__ int bin_of(unsigned char c) {
  if (c >= 'a' && c <= 'z') return (c - 'a') >> 2;
  if (c >= 'A' && c <= 'Z') return (c - 'A') >> 2;
  return 7;
}

__device__ void empty(unsigned long long& packed, unsigned int* counts) {
  for (int b = 0; b < kBins; ++b) {
    const unsigned int x = static_cast<unsigned int>(packed >> (8 * b)) & 255u;
    if (x != 0) atomicAdd(&counts[b], x);
  }
  packed = 0;
}

__global__ void count_packed(const unsigned char* text, unsigned int* bins, int n) {
  __shared__ unsigned int counts[kBins];
  if (threadIdx.x < kBins) counts[threadIdx.x] = 0;
  __syncthreads();
  unsigned long long packed = 0;
  int held = 0;
  const int step = gridDim.x * kThreads;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += step) {
    packed += 1ull << (8 * bin_of(text[i]));
    if (++held == kMost) {
      empty(packed, counts);
      held = 0;
    }
  }
  empty(packed, counts);
  __syncthreads();
  if (threadIdx.x < kBins) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

}  // namespace

void text_histogram(const unsigned char* text, unsigned int* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned int));
  if (n == 0) return;
  const int blocks = (n + kThreads * kPerThread - 1) / (kThreads * kPerThread);
  count_packed<<<blocks, kThreads>>>(text, bins, n);
  if (cudaGetLastError() != cudaSuccess) return;
}
