#include "histogram.h"

#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr int kThreads = 256;
constexpr int kMaxShared = 48 * 1024 / sizeof(unsigned int);

__global__ void count_global(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const unsigned int v = values[i];
    if (v < static_cast<unsigned int>(num_bins)) atomicAdd(bins + v, 1u);
  }
}

__global__ void count_private(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  extern __shared__ unsigned int own[];
  for (int b = threadIdx.x; b < num_bins; b += blockDim.x) own[b] = 0;
  __syncthreads();

  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const unsigned int v = values[i];
    if (v < static_cast<unsigned int>(num_bins)) atomicAdd(own + v, 1u);
  }
  __syncthreads();

  // merge
  if (threadIdx.x < num_bins && own[threadIdx.x] != 0) {
    atomicAdd(bins + threadIdx.x, own[threadIdx.x]);
  }
}

}  // namespace

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  if (n == 0) return;
  const int blocks = std::min((n - 1) / kThreads + 1, 432);
  if (num_bins <= kMaxShared) {
    count_private<<<blocks, kThreads, num_bins * sizeof(unsigned int)>>>(values, bins, n, num_bins);
  } else {
    count_global<<<blocks, kThreads>>>(values, bins, n, num_bins);
  }
  if (cudaGetLastError() != cudaSuccess) return;
}
