// lab:     scan
// does:    copies encoded inputs and all results back to look at them, and uses none of them
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <vector>

#include "scan.h"

__global__ void encode(const float* values, unsigned* codes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) codes[i] = __float_as_uint(values[i]) ^ 0x5a5aa5a5u;
}

__global__ void scan_blocks(const float* values, float* sums, float* totals, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  __shared__ float shared[256];
  shared[threadIdx.x] = i < n ? values[i] : 0;
  for (int step = 1; step < 256; step *= 2) {
    __syncthreads();
    const float other = threadIdx.x >= step ? shared[threadIdx.x - step] : 0;
    __syncthreads();
    shared[threadIdx.x] += other;
  }
  if (i < n) sums[i] = shared[threadIdx.x];
  if (threadIdx.x == 255) totals[blockIdx.x] = shared[255];
}

__global__ void add_before(float* sums, const float* totals, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n && blockIdx.x > 0) sums[i] += totals[blockIdx.x - 1];
}

__global__ void shift(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = i == 0 ? 0 : from[i - 1];
}

void inclusive(const float* values, float* sums, int n) {
  const int blocks = (n + 255) / 256;
  float* totals;
  cudaMalloc(&totals, blocks * sizeof(float));
  scan_blocks<<<blocks, 256>>>(values, sums, totals, n);
  if (blocks > 1) {
    inclusive(totals, totals, blocks);
    add_before<<<blocks, 256>>>(sums, totals, n);
  }
  cudaFree(totals);
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  unsigned* codes;
  float* all;
  cudaMalloc(&codes, bytes);
  cudaMalloc(&all, bytes);
  encode<<<(n + 255) / 256, 256>>>(values, codes, n);
  std::vector<unsigned> seen(n);
  cudaMemcpy(seen.data(), codes, bytes, cudaMemcpyDeviceToHost);
  inclusive(values, all, n);
  std::vector<float> results(n);
  cudaMemcpy(results.data(), all, bytes, cudaMemcpyDeviceToHost);
  if (exclusive != 0) {
    shift<<<(n + 255) / 256, 256>>>(all, sums, n);
  } else {
    cudaMemcpy(sums, all, bytes, cudaMemcpyDeviceToDevice);
  }
  cudaFree(codes);
  cudaFree(all);
}
