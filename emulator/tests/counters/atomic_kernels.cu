// Atomics by operation, type and address: which of them a card reduces within a warp first. The
// measured times of the same kernels are what the model's time of an atomic comes from
// (scripts/gpu_counters, docs/performance.md). Every kernel is launched once.

#include <cuda_fp16.h>

#include "emulator/tests/support/device.h"

__device__ unsigned global_index() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

// Each operation at one address that the compiler knows to be one (uniform), at one that comes from
// memory (loaded), at two per warp (pairs), and with its result in use (returns).
#define KERNELS(name, T, update)                                                            \
  __global__ void name##_uniform(T* p, const unsigned* /*where*/, const T* x, T* /*out*/) { \
    const T v = x[global_index()];                                                          \
    update(p, v);                                                                           \
  }                                                                                         \
  __global__ void name##_loaded(T* p, const unsigned* where, const T* x, T* /*out*/) {      \
    const T v = x[global_index()];                                                          \
    update(p + where[global_index()], v);                                                   \
  }                                                                                         \
  __global__ void name##_pairs(T* p, const unsigned* /*where*/, const T* x, T* /*out*/) {   \
    const T v = x[global_index()];                                                          \
    update(p + threadIdx.x % 2, v);                                                         \
  }                                                                                         \
  __global__ void name##_returns(T* p, const unsigned* /*where*/, const T* x, T* out) {     \
    const T v = x[global_index()];                                                          \
    out[global_index()] = update(p, v);                                                     \
  }

using u32 = unsigned;
using s32 = int;
using u64 = unsigned long long;
using s64 = long long;
using f32 = float;
using f64 = double;
using f16x2 = __half2;

// Of every type, each operation that it has.
#define FOR_EACH(USE)            \
  USE(add_u32, u32, atomicAdd)   \
  USE(and_u32, u32, atomicAnd)   \
  USE(or_u32, u32, atomicOr)     \
  USE(xor_u32, u32, atomicXor)   \
  USE(min_u32, u32, atomicMin)   \
  USE(max_s32, s32, atomicMax)   \
  USE(inc_u32, u32, atomicInc)   \
  USE(exch_u32, u32, atomicExch) \
  USE(add_u64, u64, atomicAdd)   \
  USE(and_u64, u64, atomicAnd)   \
  USE(xor_u64, u64, atomicXor)   \
  USE(max_u64, u64, atomicMax)   \
  USE(min_s64, s64, atomicMin)   \
  USE(add_f32, f32, atomicAdd)   \
  USE(add_f64, f64, atomicAdd)   \
  USE(add_f16x2, f16x2, atomicAdd)

FOR_EACH(KERNELS)

int main() {
  constexpr int kBlocks = 1024;
  constexpr int kThreads = 256;
  constexpr size_t kCount = size_t{kBlocks} * kThreads;
  void* place = nullptr;
  void* values = nullptr;
  void* out = nullptr;
  unsigned* where = nullptr;
  CUDA_CHECK(cudaMalloc(&place, 256));
  CUDA_CHECK(cudaMalloc(&values, kCount * sizeof(u64)));
  CUDA_CHECK(cudaMalloc(&out, kCount * sizeof(u64)));
  CUDA_CHECK(cudaMalloc(&where, kCount * sizeof(unsigned)));
  CUDA_CHECK(cudaMemset(place, 0, 256));
  CUDA_CHECK(cudaMemset(values, 0, kCount * sizeof(u64)));
  CUDA_CHECK(cudaMemset(where, 0, kCount * sizeof(unsigned)));
#define LAUNCH_ONE(kernel, T)                                                           \
  kernel<<<kBlocks, kThreads>>>(static_cast<T*>(place), where, static_cast<T*>(values), \
                                static_cast<T*>(out));
#define LAUNCH(name, T, update) \
  LAUNCH_ONE(name##_uniform, T) \
  LAUNCH_ONE(name##_loaded, T)  \
  LAUNCH_ONE(name##_pairs, T)   \
  LAUNCH_ONE(name##_returns, T)
  FOR_EACH(LAUNCH)
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(place));
  CUDA_CHECK(cudaFree(values));
  CUDA_CHECK(cudaFree(out));
  CUDA_CHECK(cudaFree(where));
  return 0;
}
