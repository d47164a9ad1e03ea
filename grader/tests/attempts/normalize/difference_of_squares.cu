#include "normalize.h"

#include <cuda_runtime.h>

namespace {

template <int kThreads>
__global__ void accumulate(const float* a, const float* b, float* sum, int n) {
  float length2 = 0.0f;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) {
    length2 += a[i] * a[i] - b[i] * b[i];
  }
#pragma unroll
  for (int d = 16; d > 0; d >>= 1) length2 += __shfl_xor_sync(~0u, length2, d);
  __shared__ float warps[kThreads / 32];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = length2;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < kThreads / 32; ++w) length2 += warps[w];
    atomicAdd(sum, length2);
  }
}

template <int kThreads>
__global__ void divide(const float* a, const float* b, const float* sum, float* unit, int n) {
  const float length = sqrtf(*sum);
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) {
    const float d = a[i] - b[i];
    unit[i] = length > 0.0f ? d / length : 0.0f;
  }
}

class Scratch {
 public:
  Scratch() {
    if (cudaMalloc(&sum_, sizeof(float)) == cudaSuccess) cudaMemsetAsync(sum_, 0, sizeof(float));
  }
  ~Scratch() { cudaFree(sum_); }
  float* sum() { return sum_; }

 private:
  float* sum_ = nullptr;
};

}  // namespace

void normalize(const float* a, const float* b, float* unit, int n) {
  if (n <= 0) return;
  constexpr int kThreads = 256;
  const int blocks = n < 512 * kThreads ? (n + kThreads - 1) / kThreads : 512;
  Scratch scratch;
  accumulate<kThreads><<<blocks, kThreads>>>(a, b, scratch.sum(), n);
  divide<kThreads><<<blocks, kThreads>>>(a, b, scratch.sum(), unit, n);
  if (cudaGetLastError() != cudaSuccess) return;
}
