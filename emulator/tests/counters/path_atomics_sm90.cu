// Atomics by operation, type, space and use of the result: which machine instruction each becomes,
// and what that counts as (h200_paths.csv, paths_test.cpp). Every kernel is launched once.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <vector>

#include "emulator/tests/support/device.h"

using u32 = unsigned;
using s32 = int;
using u64 = unsigned long long;
using f32 = float;
using f64 = double;
using f16x2 = __half2;
using bf16x2 = __nv_bfloat162;

__device__ unsigned global_index() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

/// Not zero: a compare-and-swap that changes nothing lets others succeed.
template <class T>
T one() {
  return T{1};
}
template <>
f16x2 one() {
  return __float2half2_rn(1.f);
}
template <>
bf16x2 one() {
  return __float2bfloat162_rn(1.f);
}

template <class T>
__device__ T swap_compared(T* p, T v) {
  return atomicCAS(p, T{0}, v);
}

// In global memory, at places that memory tells: the result not used, and used. In shared memory at
// a place for each lane of the block (apart), and where `where` says (met).
#define KERNELS(name, T, update)                                                \
  __global__ void name##_global(T* p, const unsigned* where, T* /*out*/, T x) { \
    update(p + where[global_index()], x);                                       \
  }                                                                             \
  __global__ void name##_used(T* p, const unsigned* where, T* out, T x) {       \
    out[global_index()] = update(p + where[global_index()], x);                 \
  }                                                                             \
  __global__ void name##_apart(T* /*p*/, const unsigned* where, T* out, T x) {  \
    __shared__ T tile[256];                                                     \
    tile[threadIdx.x] = T{};                                                    \
    __syncthreads();                                                            \
    if (where[threadIdx.x] < 256) update(&tile[threadIdx.x], x);                \
    __syncthreads();                                                            \
    out[global_index()] = tile[threadIdx.x];                                    \
  }                                                                             \
  __global__ void name##_met(T* /*p*/, const unsigned* where, T* out, T x) {    \
    __shared__ T tile[256];                                                     \
    tile[threadIdx.x] = T{};                                                    \
    __syncthreads();                                                            \
    update(&tile[threadIdx.x / 32 * 32 + where[global_index()] % 32], x);       \
    __syncthreads();                                                            \
    out[global_index()] = tile[threadIdx.x];                                    \
  }

#define FOR_EACH(USE)              \
  USE(add_u32, u32, atomicAdd)     \
  USE(and_u32, u32, atomicAnd)     \
  USE(max_s32, s32, atomicMax)     \
  USE(inc_u32, u32, atomicInc)     \
  USE(exch_u32, u32, atomicExch)   \
  USE(cas_u32, u32, swap_compared) \
  USE(add_u64, u64, atomicAdd)     \
  USE(and_u64, u64, atomicAnd)     \
  USE(max_u64, u64, atomicMax)     \
  USE(exch_u64, u64, atomicExch)   \
  USE(cas_u64, u64, swap_compared) \
  USE(add_f32, f32, atomicAdd)     \
  USE(add_f64, f64, atomicAdd)     \
  USE(add_f16x2, f16x2, atomicAdd) \
  USE(add_bf16x2, bf16x2, atomicAdd)

FOR_EACH(KERNELS)

// An addition of a known one, for which the card counts the lanes of each address.
__global__ void count_met(const unsigned* where, u32* out) {
  __shared__ u32 tile[256];
  tile[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&tile[threadIdx.x / 32 * 32 + where[global_index()] % 32], 1u);
  __syncthreads();
  out[global_index()] = tile[threadIdx.x];
}
__global__ void cas_u16_global(unsigned short* p, const unsigned* where) {
  atomicCAS(p + where[global_index()], 1, 2);
}
__global__ void add_f16_global(__half* p, const unsigned* where) {
  atomicAdd(p + where[global_index()], __float2half(1.f));
}
__global__ void add_float4_global(float4* p, const unsigned* where) {
  atomicAdd(p + where[global_index()], make_float4(1, 2, 3, 4));
}
__global__ void red_global(u32* p, const unsigned* where) {
  asm volatile("red.relaxed.gpu.global.add.u32 [%0], 1;" ::"l"(p + where[global_index()])
               : "memory");
}
__global__ void sub_s32_system(s32* p, const unsigned* where) {
  atomicAdd_system(p + where[global_index()], -3);
}
__global__ void count_met_used(const unsigned* where, u32* out) {
  __shared__ u32 tile[256];
  tile[threadIdx.x] = 0;
  __syncthreads();
  out[global_index()] = atomicAdd(&tile[threadIdx.x / 32 * 32 + where[global_index()] % 32], 1u);
}
// One warp alone, whose lanes meet at one word, in pairs, and at words of one bank.
template <class T, int kWords, int kApart>
__global__ void one_warp(T* out, T x) {
  __shared__ T tile[32 * kApart + 1];
  tile[threadIdx.x * kApart] = T{};
  __syncwarp();
  atomicAdd(&tile[threadIdx.x % kWords * kApart], x);
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x * kApart];
}
// An address that the compiler does not know to be in shared memory.
__device__ __noinline__ void count_at(u32* p, u32 x) {
  atomicAdd(p, x);
}
__global__ void add_u32_generic(u32* p, u32* out, u32 x) {
  __shared__ u32 tile[256];
  tile[threadIdx.x] = 0;
  __syncthreads();
  count_at(tile + threadIdx.x, x);
  count_at(p + threadIdx.x, x);
  __syncthreads();
  out[global_index()] = tile[threadIdx.x];
}
__device__ __noinline__ void add_to(float* p) {
  atomicAdd(p, 1.f);
}
__global__ void add_f32_generic(float* p, float* out) {
  __shared__ float tile[256];
  tile[threadIdx.x] = 0;
  __syncthreads();
  add_to(tile + threadIdx.x);
  add_to(p + threadIdx.x);
  __syncthreads();
  out[global_index()] = tile[threadIdx.x];
}

int main() {
  constexpr int kBlocks = 64;
  constexpr int kThreads = 256;
  constexpr size_t kCount = size_t{kBlocks} * kThreads;
  void* place = nullptr;
  void* out = nullptr;
  unsigned* where = nullptr;
  CUDA_CHECK(cudaMalloc(&place, 8192));
  CUDA_CHECK(cudaMalloc(&out, kCount * 16));
  CUDA_CHECK(cudaMalloc(&where, kCount * sizeof(unsigned)));
  CUDA_CHECK(cudaMemset(place, 0, 8192));
  CUDA_CHECK(cudaMemset(out, 0, kCount * 16));
  // Four places for each warp, so 8 lanes meet at each.
  std::vector<unsigned> places(kCount);
  for (size_t i = 0; i < kCount; ++i)
    places[i] = static_cast<unsigned>(i / 32 % 8 * 32 + i % 4 * 9 % 32);
  CUDA_CHECK(cudaMemcpy(where, places.data(), kCount * sizeof(unsigned), cudaMemcpyHostToDevice));
#define LAUNCH_ONE(kernel, T) \
  kernel<<<kBlocks, kThreads>>>(static_cast<T*>(place), where, static_cast<T*>(out), one<T>());
#define LAUNCH(name, T, update) \
  LAUNCH_ONE(name##_global, T)  \
  LAUNCH_ONE(name##_used, T)    \
  LAUNCH_ONE(name##_apart, T)   \
  LAUNCH_ONE(name##_met, T)
  FOR_EACH(LAUNCH)
  count_met<<<kBlocks, kThreads>>>(where, static_cast<u32*>(out));
  cas_u16_global<<<kBlocks, kThreads>>>(static_cast<unsigned short*>(place), where);
  add_f16_global<<<kBlocks, kThreads>>>(static_cast<__half*>(place), where);
  add_float4_global<<<kBlocks, kThreads>>>(static_cast<float4*>(place), where);
  red_global<<<kBlocks, kThreads>>>(static_cast<u32*>(place), where);
  sub_s32_system<<<kBlocks, kThreads>>>(static_cast<s32*>(place), where);
  add_f32_generic<<<kBlocks, kThreads>>>(static_cast<float*>(place), static_cast<float*>(out));
  count_met_used<<<kBlocks, kThreads>>>(where, static_cast<u32*>(out));
  one_warp<f32, 1, 1><<<1, 32>>>(static_cast<f32*>(out), 1.f);
  one_warp<f32, 16, 1><<<1, 32>>>(static_cast<f32*>(out), 1.f);
  one_warp<f32, 32, 32><<<1, 32>>>(static_cast<f32*>(out), 1.f);
  one_warp<f32, 8, 32><<<1, 32>>>(static_cast<f32*>(out), 1.f);
  one_warp<f64, 1, 1><<<1, 32>>>(static_cast<f64*>(out), 1.);
  one_warp<f64, 16, 1><<<1, 32>>>(static_cast<f64*>(out), 1.);
  one_warp<f64, 32, 16><<<1, 32>>>(static_cast<f64*>(out), 1.);
  one_warp<u64, 8, 1><<<1, 32>>>(static_cast<u64*>(out), 1);
  one_warp<u32, 8, 32><<<1, 32>>>(static_cast<u32*>(out), 3);
  add_u32_generic<<<kBlocks, kThreads>>>(static_cast<u32*>(place), static_cast<u32*>(out), 3);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(place));
  CUDA_CHECK(cudaFree(out));
  CUDA_CHECK(cudaFree(where));
  return 0;
}
