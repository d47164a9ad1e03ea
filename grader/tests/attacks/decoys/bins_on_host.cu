// lab:     histogram
// does:    counts in parts, and adds the parts of all blocks on the host
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <vector>

#include "histogram.h"

__global__ void count(const unsigned* values, unsigned* parts, int n, int num_bins) {
  unsigned* part = parts + static_cast<size_t>(blockIdx.x) * num_bins;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (values[i] < num_bins) atomicAdd(&part[values[i]], 1);
  }
}

void histogram(const unsigned* values, unsigned* bins, int n, int num_bins) {
  constexpr int kParts = 8;
  const size_t bytes = static_cast<size_t>(num_bins) * sizeof(unsigned);
  unsigned* parts;
  cudaMalloc(&parts, kParts * bytes);
  cudaMemset(parts, 0, kParts * bytes);
  count<<<kParts, 256>>>(values, parts, n, num_bins);
  std::vector<unsigned> host(kParts * static_cast<size_t>(num_bins)), sums(num_bins);
  cudaMemcpy(host.data(), parts, kParts * bytes, cudaMemcpyDeviceToHost);
  for (size_t i = 0; i < host.size(); ++i) sums[i % num_bins] += host[i];
  cudaMemcpy(bins, sums.data(), bytes, cudaMemcpyHostToDevice);
  cudaFree(parts);
}
