#include "histogram.h"

#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 256;
constexpr int kMostShared = 48 * 1024 / sizeof(unsigned int);

template <typename F>
__device__ void for_each_bin(int num_bins, F f) {
  for (int b = threadIdx.x; b < num_bins; b += blockDim.x) f(b);
}

__global__ void private_count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  extern __shared__ unsigned int mine[];
  for_each_bin(num_bins, [&](int b) { mine[b] = 0; });
  __syncthreads();
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
       i += (long long)gridDim.x * blockDim.x) {
    const unsigned int v = values[i];
    if (v < static_cast<unsigned int>(num_bins)) atomicAdd(&mine[v], 1u);
  }
  __syncthreads();
  for_each_bin(num_bins, [&](int b) {
    if (mine[b] > 0) atomicAdd(&bins[b], mine[b]);
  });
}

__global__ void plain_count(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
       i += (long long)gridDim.x * blockDim.x) {
    const unsigned int v = values[i];
    if (v < static_cast<unsigned int>(num_bins)) atomicAdd(&bins[v], 1u);
  }
}

}  // namespace

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaMemset(bins, 0, num_bins * sizeof(unsigned int));
  if (n == 0) return;
  int blocks = (n + kThreads - 1) / kThreads;
  blocks = blocks < 216 ? blocks : 216;
  if (num_bins <= kMostShared) {
    private_count<<<blocks, kThreads, kThreads * sizeof(unsigned int)>>>(values, bins, n, num_bins);
  } else {
    plain_count<<<blocks, kThreads>>>(values, bins, n, num_bins);
  }
  cudaError_t status = cudaGetLastError();
  (void)status;
}
