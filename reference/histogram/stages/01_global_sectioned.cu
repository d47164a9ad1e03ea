// Rung 1: one stretch of the values for each thread, one atomic for each value.
//
// The natural way to divide work on a CPU: thread t takes values t * section to (t + 1) * section
// - 1. atomicAdd makes the count right whoever else counts in that bin. Two things are slow. At any
// moment the threads of a warp read a whole section apart, so each of them needs a 32-byte sector
// for its four bytes. And the updates of all threads meet in num_bins counters: those for one
// counter are done one after the other, far away in the second-level cache.
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
constexpr int kBlocksPerMultiprocessor = 8;  // 2048 threads fill one

__global__ void count(const unsigned int* values, unsigned int* bins, size_t n,
                      unsigned int num_bins) {
  const size_t threads = static_cast<size_t>(gridDim.x) * blockDim.x;
  const size_t thread = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t section = (n + threads - 1) / threads;
  const size_t begin = thread * section;
  const size_t end = begin + section < n ? begin + section : n;
  for (size_t i = begin; i < end; ++i) {
    const unsigned int value = values[i];
    if (value < num_bins) atomicAdd(&bins[value], 1u);
  }
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  // The counters must be 0 before the first atomic: whoever zeroed them in `count` could come too
  // late for another block. A fill of its own, before the kernel, is ordered.
  CHECK(cudaMemsetAsync(bins, 0, num_bins * sizeof(unsigned int)));
  if (n == 0) return;

  int multiprocessors = 0;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  const int needed = static_cast<int>((static_cast<size_t>(n) + kBlock - 1) / kBlock);
  const int blocks = std::min(needed, multiprocessors * kBlocksPerMultiprocessor);
  count<<<blocks, kBlock>>>(values, bins, n, num_bins);
  CHECK(cudaGetLastError());
}
