#include "normalize.h"

#include <cuda_runtime.h>

#include <algorithm>

namespace {

constexpr int kThreads = 128;

__device__ float add_up_in_warp(float x) {
  for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
  return x;  // in lane 0
}

__global__ void squared_length(const float* a, const float* b, float* result, int n) {
  float mine = 0.0f;
  for (long long i = (long long)blockIdx.x * kThreads + threadIdx.x; i < n;
       i += (long long)gridDim.x * kThreads) {
    const float d = a[i] - b[i];
    mine = fmaf(d, d, mine);
  }
  __shared__ float of_warp[kThreads / 32];
  mine = add_up_in_warp(mine);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0.0f;
    for (float w : of_warp) total += w;
    atomicAdd(result, total);
  }
}

__global__ void scale(const float* a, const float* b, float* unit, const float* squared, int n) {
  const float inverse = 1.0f / sqrtf(*squared);
  for (long long i = (long long)blockIdx.x * kThreads + threadIdx.x; i < n;
       i += (long long)gridDim.x * kThreads) {
    unit[i] = (a[i] - b[i]) * inverse;
  }
}

}  // namespace

void normalize(const float* a, const float* b, float* unit, int n) {
  if (n == 0) return;
  const int blocks = std::min((n - 1) / (kThreads * 8) + 1, 4096);
  float* squared;
  if (cudaMalloc(&squared, sizeof *squared) != cudaSuccess) return;
  if (cudaMemset(squared, 0, sizeof *squared) == cudaSuccess) {
    squared_length<<<blocks, kThreads>>>(a, b, squared, n);
    scale<<<blocks, kThreads>>>(a, b, unit, squared, n);
    (void)cudaGetLastError();
  }
  cudaFree(squared);
}
