// Shared accesses without bank conflicts, by one warp and by many, alone and beside global loads:
// where a card counts more passes than the emulator, which always counts one (scripts/gpu_counters;
// scripts/fidelity/known.toml). Every kernel is launched once.

#include "emulator/tests/support/device.h"

constexpr int kWords = 1024;
constexpr int kSteps = 256;
constexpr int kLoaded = 65536;  // int4

// @param kLoads  1 beside global loads, 0 alone
template <int kWarps, int kLoads>
__global__ void atomics(const int4* data, int* out) {
  __shared__ int words[kWords];
  words[threadIdx.x] = 0;
  __syncthreads();
  int x = data[threadIdx.x].x;
#pragma unroll 1
  for (int k = 0; k < kSteps; ++k) {
    if (kLoads == 1) x += data[(k * blockDim.x + threadIdx.x) % kLoaded].x;
    atomicAdd(&words[(threadIdx.x + 32 * k) % kWords], x);
  }
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x];
}

// Only the first lane of each warp adds, and all warps to the same word.
template <int kWarps>
__global__ void one_lane(const int4* data, int* out) {
  __shared__ int words[kWords];
  words[threadIdx.x] = 0;
  __syncthreads();
  const int x = data[threadIdx.x].x;
#pragma unroll 1
  for (int k = 0; k < kSteps; ++k) {
    if (threadIdx.x % 32 == 0) atomicAdd(&words[k % 32], x + k);
  }
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x];
}

template <int kWarps, int kLoads>
__global__ void loads(const int4* data, int* out) {
  __shared__ volatile int words[kWords];
  words[threadIdx.x] = 0;
  __syncthreads();
  int x = 0;
#pragma unroll 1
  for (int k = 0; k < kSteps; ++k) {
    if (kLoads == 1) x += data[(k * blockDim.x + threadIdx.x) % kLoaded].x;
    x += words[(threadIdx.x / 32 * 32 + (threadIdx.x + k) % 32)];
  }
  out[threadIdx.x] = x;
}

template <int kWarps>
void run(const int4* data, int* out) {
  atomics<kWarps, 0><<<1, 32 * kWarps>>>(data, out);
  atomics<kWarps, 1><<<1, 32 * kWarps>>>(data, out);
  one_lane<kWarps><<<1, 32 * kWarps>>>(data, out);
  loads<kWarps, 0><<<1, 32 * kWarps>>>(data, out);
  loads<kWarps, 1><<<1, 32 * kWarps>>>(data, out);
  CUDA_CHECK(cudaDeviceSynchronize());
}

int main() {
  int4* data = nullptr;
  int* out = nullptr;
  CUDA_CHECK(cudaMalloc(&data, kLoaded * sizeof(int4)));
  CUDA_CHECK(cudaMalloc(&out, kWords * sizeof(int)));
  CUDA_CHECK(cudaMemset(data, 1, kLoaded * sizeof(int4)));
  run<1>(data, out);
  run<4>(data, out);
  run<8>(data, out);
  run<32>(data, out);
  CUDA_CHECK(cudaFree(data));
  CUDA_CHECK(cudaFree(out));
  return 0;
}
