#include "differences.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int kBlock = 256;
constexpr unsigned kAllLanes = 0xffffffffu;

// No shared memory: the neighbour's value is in a register of the lane below.
__global__ void subtract_left(const float* __restrict__ values, float* __restrict__ result, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const bool exists = i < n;

  const float own = exists ? values[i] : 0.0f;      // all lanes have to take part in the shuffle
  float left = __shfl_up_sync(kAllLanes, own, 1);

  // The first thread has nobody below it and loads the value itself.
  if (threadIdx.x == 0) left = i > 0 ? values[i - 1] : 0.0f;

  if (exists) result[i] = own - left;
}

void differences(const float* values, float* result, int n) {
  if (n < 1) return;
  subtract_left<<<(n + kBlock - 1) / kBlock, kBlock>>>(values, result, n);
  if (const cudaError_t e = cudaGetLastError(); e != cudaSuccess) {
    std::fprintf(stderr, "differences: %s\n", cudaGetErrorString(e));
  }
}
