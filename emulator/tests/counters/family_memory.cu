// Families of kernels about global memory: the width of accesses, loads in flight, warps per
// multiprocessor, strides, structures. See families.h.

#include "emulator/tests/counters/families.h"

using families::global_index;
using families::Use;

// An element of kBytes per access.
template <int kBytes>
struct Element;
template <>
struct Element<1> {
  using Type = unsigned char;
};
template <>
struct Element<2> {
  using Type = unsigned short;
};
template <>
struct Element<4> {
  using Type = float;
};
template <>
struct Element<8> {
  using Type = float2;
};
template <>
struct Element<16> {
  using Type = float4;
};
template <int kBytes>
using Of = typename Element<kBytes>::Type;

__device__ float sum_of(float v) {
  return v;
}
__device__ float sum_of(float2 v) {
  return v.x + v.y;
}
__device__ float sum_of(float4 v) {
  return (v.x + v.y) + (v.z + v.w);
}
__device__ float plus(float a, float b) {
  return a + b;
}
__device__ float2 plus(float2 a, float2 b) {
  return {a.x + b.x, a.y + b.y};
}
__device__ float4 plus(float4 a, float4 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

template <int kBytes, int kLog>
__global__ void copy_width(const Of<kBytes>* in, Of<kBytes>* out) {
  out[global_index()] = in[global_index()];
}
template <int kBytes, int kLog>
__global__ void add_width(const Of<kBytes>* a, const Of<kBytes>* b, Of<kBytes>* out, unsigned n) {
  const unsigned i = global_index();
  if (i < n) out[i] = plus(a[i], b[i]);
}
// A fixed grid reads everything.
template <int kBytes, int kLog>
__global__ void sum_width(const Of<kBytes>* in, float* out, unsigned n) {
  float sum = 0;
  for (unsigned i = global_index(); i < n; i += gridDim.x * blockDim.x) sum += sum_of(in[i]);
  out[global_index()] = sum;
}
// kEach elements per thread: all loads first, or one after another.
template <int kEach, int kLog>
__global__ void copy_several(const float* __restrict__ in, float* __restrict__ out) {
  const unsigned threads = gridDim.x * blockDim.x;
  float v[kEach];
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k) v[k] = in[k * threads + global_index()];
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k) out[k * threads + global_index()] = v[k];
}
template <int kEach, int kLog>
__global__ void copy_in_turn(const float* in, float* out) {
  const unsigned threads = gridDim.x * blockDim.x;
#pragma unroll 1
  for (unsigned k = 0; k < kEach; ++k)
    out[k * threads + global_index()] = in[k * threads + global_index()];
}
// kBlocks of 256 threads, whatever the work.
template <int kBlocks, int kLog>
__global__ void copy_by_few(const float* in, float* out, unsigned n) {
  for (unsigned i = global_index(); i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}
template <int kStride, int kLog>
__global__ void gather(const float* in, float* out, unsigned mask) {
  out[global_index()] = in[global_index() * kStride & mask];
}
template <int kStride, int kLog>
__global__ void scatter(const float* in, float* out, unsigned mask) {
  out[global_index() * kStride & mask] = in[global_index()];
}
// Structures of kFields floats, and an array for each field.
template <int kFields, int kLog>
__global__ void structures(const float* in, float* out) {
  float sum = 0;
#pragma unroll
  for (int f = 0; f < kFields; ++f) sum += in[global_index() * kFields + f];
  out[global_index()] = sum;
}
template <int kFields, int kLog>
__global__ void arrays(const float* in, float* out) {
  float sum = 0;
#pragma unroll
  for (int f = 0; f < kFields; ++f) sum += in[f * (1 << kLog) + global_index()];
  out[global_index()] = sum;
}
// An index comes from memory, and each step of a chain from the one before.
template <int kSteps, int kLog>
__global__ void chase(const int* next, float* out) {
  int at = static_cast<int>(global_index()) & ((1 << kLog) - 1);
#pragma unroll 1
  for (int i = 0; i < kSteps; ++i) at = (next[at] + at * 5 + 1) & ((1 << kLog) - 1);
  out[global_index()] = static_cast<float>(at);
}
// The same number of loads, whose addresses are known beforehand.
template <int kSteps, int kLog>
__global__ void visit(const int* next, float* out) {
  int sum = 0;
#pragma unroll 4
  for (int i = 0; i < kSteps; ++i) sum += next[(global_index() * 5 + i * 7919) & ((1 << kLog) - 1)];
  out[global_index()] = static_cast<float>(sum);
}

// Memory for every kernel: 2^26 bytes each.
float* in;
float* more;
float* out;

template <int kBytes, int kLog>
void copies_by_width() {
  using T = Of<kBytes>;
  constexpr int kThreads = 256;
  constexpr unsigned kCount = (1u << kLog) / kBytes;
  families::group("copy of 2^" + std::to_string(kLog) + " bytes by width",
                  kLog == 22 ? Use::held_out : Use::fitted);
  RUN((copy_width<kBytes, kLog>), kCount / kThreads, kThreads, reinterpret_cast<T*>(in),
      reinterpret_cast<T*>(out));
  if constexpr (kBytes >= 4) {
    families::group("sum of two of 2^" + std::to_string(kLog) + " bytes by width",
                    kLog == 24 ? Use::held_out : Use::fitted);
    RUN((add_width<kBytes, kLog>), kCount / kThreads, kThreads, reinterpret_cast<T*>(in),
        reinterpret_cast<T*>(more), reinterpret_cast<T*>(out), kCount);
    families::group("sum over 2^" + std::to_string(kLog) + " bytes by width",
                    kLog == 24 ? Use::held_out : Use::fitted);
    RUN((sum_width<kBytes, kLog>), 132 * 8, kThreads, reinterpret_cast<T*>(in), out, kCount);
  }
}

template <int kEach, int kLog>
void several() {
  families::group("several per thread of 2^" + std::to_string(kLog),
                  kLog == 22 ? Use::held_out : Use::fitted);
  RUN((copy_several<kEach, kLog>), (1 << kLog) / kEach / 256, 256, in, out);
  RUN((copy_in_turn<kEach, kLog>), (1 << kLog) / kEach / 256, 256, in, out);
}

template <int kBlocks, int kLog>
void few() {
  families::group("few blocks for 2^" + std::to_string(kLog),
                  kLog == 20 ? Use::held_out : Use::fitted);
  RUN((copy_by_few<kBlocks, kLog>), kBlocks, 256, in, out, 1u << kLog);
}

template <int kStride, int kLog>
void strides() {
  families::group("gather from 2^" + std::to_string(kLog),
                  kLog == 22 ? Use::held_out : Use::fitted);
  RUN((gather<kStride, kLog>), (1 << 20) / 256, 256, in, out, (1u << kLog) - 1);
  families::group("scatter to 2^" + std::to_string(kLog), kLog == 22 ? Use::held_out : Use::fitted);
  RUN((scatter<kStride, kLog>), (1 << 20) / 256, 256, in, out, (1u << kLog) - 1);
}

template <int kFields, int kLog>
void fields() {
  families::group("structures of " + std::to_string(kFields),
                  kFields == 4 ? Use::held_out : Use::fitted);
  RUN((structures<kFields, kLog>), (1 << kLog) / 256, 256, in, out);
  RUN((arrays<kFields, kLog>), (1 << kLog) / 256, 256, in, out);
}

template <int kSteps, int kLog>
void chains() {
  families::group("chains of " + std::to_string(kSteps) + " loads in 2^" + std::to_string(kLog),
                  kLog == 20 ? Use::held_out : Use::fitted);
  RUN((chase<kSteps, kLog>), 132 * 2, 256, reinterpret_cast<int*>(in), out);
  RUN((visit<kSteps, kLog>), 132 * 2, 256, reinterpret_cast<int*>(in), out);
}

int main(int argc, char** argv) {
  families::begin(argc, argv);
  constexpr size_t kFloats = size_t{1} << 24;
  in = families::allocate<float>(kFloats);
  more = families::allocate<float>(kFloats);
  out = families::allocate<float>(kFloats);
  copies_by_width<1, 22>();
  copies_by_width<2, 22>();
  copies_by_width<4, 22>();
  copies_by_width<8, 22>();
  copies_by_width<16, 22>();
  copies_by_width<1, 24>();
  copies_by_width<2, 24>();
  copies_by_width<4, 24>();
  copies_by_width<8, 24>();
  copies_by_width<16, 24>();
  copies_by_width<4, 26>();
  copies_by_width<8, 26>();
  copies_by_width<16, 26>();
  several<1, 24>();
  several<2, 24>();
  several<4, 24>();
  several<8, 24>();
  several<1, 22>();
  several<4, 22>();
  several<16, 22>();
  few<66, 22>();
  few<132, 22>();
  few<264, 22>();
  few<528, 22>();
  few<1056, 22>();
  few<132, 20>();
  few<264, 20>();
  few<1056, 20>();
  strides<1, 24>();
  strides<2, 24>();
  strides<4, 24>();
  strides<8, 24>();
  strides<16, 24>();
  strides<1, 22>();
  strides<3, 22>();
  strides<8, 22>();
  strides<33, 22>();
  fields<3, 20>();
  fields<4, 20>();
  fields<8, 20>();
  chains<32, 12>();
  chains<32, 20>();
  chains<32, 24>();
  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(more));
  CUDA_CHECK(cudaFree(out));
  return 0;
}
