#include "histogram.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

constexpr int kBlock = 256;
constexpr int kBlocksPerMultiprocessor = 8;

__global__ void count(const unsigned int* values, unsigned int* bins, size_t n,
                      unsigned int num_bins) {
  const size_t threads = static_cast<size_t>(gridDim.x) * blockDim.x;
  const size_t thread = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t section = (n + threads - 1) / threads;
  const size_t begin = thread * section;
  const size_t end = begin + section < n ? begin + section : n;
  for (size_t i = begin; i < end; ++i) {
    const unsigned int value = values[i];
    atomicAdd(&bins[value < num_bins ? value : num_bins - 1], 1u);
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  CHECK(cudaMemsetAsync(bins, 0, num_bins * sizeof(unsigned int)));
  if (n == 0) return;

  int multiprocessors = 0;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  const int needed = static_cast<int>((static_cast<size_t>(n) + kBlock - 1) / kBlock);
  const int blocks = std::min(needed, multiprocessors * kBlocksPerMultiprocessor);
  count<<<blocks, kBlock>>>(values, bins, n, num_bins);
  CHECK(cudaGetLastError());
}
