// Kernels whose counters follow from the definitions in docs/emulator.md: caches, generic
// addresses, local memory, predicates, atomics, arithmetic. Each is launched once.

#include <cooperative_groups.h>
#include <cuda_fp16.h>

#include <cstdio>

namespace {

__device__ unsigned global_index() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

/// Reads each element twice: the second time from the first level.
__global__ void read_twice(const float* a, float* b) {
  const unsigned i = global_index();
  const float first = a[i];
  __syncthreads();
  b[i] = first + *static_cast<const volatile float*>(a + i) + __ldg(a + (i ^ 1));
}

/// Every block reads the same 4 KiB: once from memory, then from the second level.
__global__ void read_shared_table(const float* a, float* b) {
  b[global_index()] = a[threadIdx.x];
}

/// More data than the L2 cache of a T4 holds, repeatedly.
__global__ void stream(const float4* a, float* b, unsigned vectors) {
  float sum = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (unsigned i = global_index(); i < vectors; i += gridDim.x * blockDim.x) sum += a[i].x;
    __syncthreads();
  }
  if (sum == 12345.f) b[global_index()] = sum;
}

/// Writes what it has just read, so the second level holds it.
__global__ void increment(float* a) {
  a[global_index()] += 1;
}

__device__ __noinline__ float through_pointer(const float* p, unsigned i) {
  return p[i * 2];
}

/// One function reads shared and global memory through a generic pointer.
__global__ void generic(const float* a, float* b) {
  __shared__ float s[64];
  s[threadIdx.x] = a[threadIdx.x];
  s[threadIdx.x + 32] = 0;
  __syncthreads();
  b[threadIdx.x] = through_pointer(s, threadIdx.x) + through_pointer(a, threadIdx.x);
}

/// A thread's own array, indexed by data.
__global__ void local_array(const int* index, float* b) {
  float own[32];
  for (int i = 0; i < 32; ++i) own[i] = static_cast<float>(i * 3);
  own[index[threadIdx.x] & 31] += 1;
  b[threadIdx.x] = own[(index[threadIdx.x] + 5) & 31];
}

/// 4 lanes on each of 8 addresses, old values used and not used; one address for all lanes.
__global__ void contended(unsigned* counters, unsigned* old) {
  old[threadIdx.x] = atomicAdd(&counters[threadIdx.x & 7], 1u);
  atomicMax(&counters[8 + (threadIdx.x & 7)], threadIdx.x);
  atomicAdd(&counters[16], threadIdx.x);
}

/// 32 threads do known numbers of operations.
__global__ void arithmetic(float* f, double* d, __half2* h) {
  const unsigned t = threadIdx.x;
  f[t] = __fmaf_rn(f[t], f[t], __fadd_rn(f[t], __fmul_rn(f[t], 3.f)));
  d[t] = __fma_rn(d[t], d[t], __dadd_rn(d[t], __dmul_rn(d[t], 3.)));
  h[t] = __hfma2(h[t], h[t], h[t]);
}

/// Half of a warp's lanes store.
__global__ void half_of_the_lanes(float* b) {
  asm volatile(
      "{ .reg .pred p; .reg .b32 low;\n"
      "  and.b32 low, %1, 1;\n"
      "  setp.eq.u32 p, low, 0;\n"
      "  @p st.global.f32 [%0], %2; }" ::"l"(b + threadIdx.x),
      "r"(threadIdx.x), "f"(1.f)
      : "memory");
}

/// Every second thread takes the longer way.
__global__ void divergent(const float* a, float* b) {
  float v = a[threadIdx.x];
  if (threadIdx.x & 1) {
    for (int i = 0; i < 8; ++i) {
      v = v * 1.5f + a[threadIdx.x + static_cast<unsigned>(i)];
      asm volatile("" ::: "memory");
    }
  }
  b[threadIdx.x] = v;
}

/// A queue hands out items, and each thread adds to a sum: two arrays.
__global__ void sum_with_queue(unsigned* sum, unsigned* queue) {
  if (threadIdx.x < 3) atomicAdd(queue, 1u);
  atomicAdd(sum, threadIdx.x);
}

/// The blocks meet, which updates memory that is not the program's.
__global__ void sum_after_meeting(unsigned* sum) {
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) atomicAdd(sum, 1u);
}

__constant__ float table[2];

__global__ void read_constants(float* b) {
  b[threadIdx.x] = table[threadIdx.x & 1];
}

template <class T>
T* zeros(size_t count) {
  T* p = nullptr;
  if (cudaMalloc(&p, count * sizeof(T)) != cudaSuccess) return nullptr;
  return cudaMemset(p, 0, count * sizeof(T)) == cudaSuccess ? p : nullptr;
}

}  // namespace

int main() {
  constexpr unsigned kVectors = 512 * 1024;  // 8 MiB
  auto* a = zeros<float>(kVectors * 4);
  auto* b = zeros<float>(64 * 1024);
  auto* counters = zeros<unsigned>(32);
  auto* old = zeros<unsigned>(32);
  auto* d = zeros<double>(32);
  auto* h = zeros<__half2>(32);
  read_twice<<<64, 256>>>(a, b);
  read_shared_table<<<64, 1024>>>(a, b);
  stream<<<64, 256>>>(reinterpret_cast<float4*>(a), b, kVectors);
  increment<<<64, 256>>>(b);
  generic<<<1, 32>>>(a, b);
  local_array<<<1, 32>>>(reinterpret_cast<int*>(a), b);
  contended<<<1, 32>>>(counters, old);
  arithmetic<<<1, 32>>>(b, d, h);
  half_of_the_lanes<<<1, 32>>>(b);
  divergent<<<1, 32>>>(a, b);
  sum_with_queue<<<1, 32>>>(counters, old);
  void* arguments[] = {&counters};
  static_cast<void>(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(sum_after_meeting),
                                                dim3(4), dim3(32), arguments, 0, nullptr));
  read_constants<<<1, 64>>>(b);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  for (void* p : {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(counters),
                  static_cast<void*>(old), static_cast<void*>(d), static_cast<void*>(h)}) {
    cudaFree(p);
  }
  return error == cudaSuccess ? 0 : 1;
}
