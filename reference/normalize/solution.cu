// Two kernels: several elements per thread, and the lanes of a warp add up by shuffles.
#include "normalize.h"

#include <cuda_runtime.h>

#include <algorithm>

constexpr int kBlock = 256;
constexpr int kMostBlocks = 432;

__global__ void add_squares(const float* a, const float* b, float* sum, int n) {
  __shared__ float warp_sums[kBlock / 32];
  float own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float difference = a[i] - b[i];
    own += difference * difference;
  }
  for (int d = 16; d > 0; d /= 2) own += __shfl_down_sync(0xffffffff, own, d);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x >= kBlock / 32) return;
  own = warp_sums[threadIdx.x];
  for (int d = kBlock / 64; d > 0; d /= 2) own += __shfl_down_sync(0xff, own, d);
  if (threadIdx.x == 0) atomicAdd(sum, own);
}

__global__ void divide(const float* a, const float* b, float* unit, const float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) unit[i] = *sum > 0 ? (a[i] - b[i]) / sqrtf(*sum) : 0;
}

void normalize(const float* a, const float* b, float* unit, int n) {
  if (n == 0) return;
  const int blocks = (n + kBlock - 1) / kBlock;
  float* sum = nullptr;
  cudaMalloc(&sum, sizeof(float));
  cudaMemset(sum, 0, sizeof(float));
  add_squares<<<std::min(blocks, kMostBlocks), kBlock>>>(a, b, sum, n);
  divide<<<blocks, kBlock>>>(a, b, unit, sum, n);
  cudaFree(sum);
}
