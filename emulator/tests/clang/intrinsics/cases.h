#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

// Calls of intrinsics on special values, which both compilers must compute alike: with constants,
// which a compiler may evaluate itself, and with the same values from memory. A program lists its
// cases and prints one line for each. All NaNs count as one: their bits are not specified.

using i16 = short;
using u16 = unsigned short;
using i32 = int;
using u32 = unsigned;
using i64 = long long;
using u64 = unsigned long long;
using f32 = float;
using f64 = double;
using f16 = __half;
using f16x2 = __half2;
using bf16 = __nv_bfloat16;
using bf16x2 = __nv_bfloat162;

constexpr int kMost = 128;  // calls of one intrinsic

/// Bits of the values of a type, the strangest first: functions of two and three arguments are
/// called with the first of them.
template <class T>
struct Special;
#define SPECIAL(type, ...)                                                    \
  template <>                                                                 \
  struct Special<type> {                                                      \
    static constexpr int kCount = sizeof((u64[]){__VA_ARGS__}) / sizeof(u64); \
    static __host__ __device__ constexpr u64 at(int i) {                      \
      const u64 values[] = {__VA_ARGS__};                                     \
      return values[i];                                                       \
    }                                                                         \
  };
// 0, -0, NaN, infinity, 1.1, -1.5, 1e20, the least, 0.7 | -infinity, 1, the largest, 0.5, 2.5,
// -2.5, -1e20, 2147483648, -2147483904, 4294967296, 9223372036854775808, 1e-40, 88, -0.3, 16777215,
// 255.5, 65520
SPECIAL(f32, 0, 0x80000000, 0x7fc00000, 0x7f800000, 0x3f8ccccd, 0xbfc00000, 0x60ad78ec, 1,
        0x3f333333, 0xff800000, 0x3f800000, 0x7f7fffff, 0x3f000000, 0x40200000, 0xc0200000,
        0xe0ad78ec, 0x4f000000, 0xcf000001, 0x4f800000, 0x5f000000, 0x000116c2, 0x42b00000,
        0xbe99999a, 0x4b7fffff, 0x437f8000, 0x477ff000)
SPECIAL(f64, 0, 0x8000000000000000, 0x7ff8000000000000, 0x7ff0000000000000, 0x3ff199999999999a,
        0xbff8000000000000, 0x4415af1d78b58c40, 1, 0x3fe6666666666666, 0xfff0000000000000,
        0x3ff0000000000000, 0x7fefffffffffffff, 0x3fe0000000000000, 0x4004000000000000,
        0xc004000000000000, 0xc415af1d78b58c40, 0x41e0000000000000, 0xc1e0000000200000,
        0x41f0000000000000, 0x43e0000000000000, 0x43f0000000000000, 0x0008000000000000,
        0xbfd3333333333333, 0x433fffffffffffff, 0x47efffffffffffff, 0x36a0000000000000)
SPECIAL(f16, 0, 0x8000, 0x7e00, 0x7c00, 0x3c66, 0xbe00, 0x7bff, 1, 0x3999, 0xfc00, 0x3c00, 0x3800,
        0x4100, 0xc100, 0xfbff, 0x0400, 0x03ff, 0x77ff, 0x5bff, 0xb4cd)
SPECIAL(bf16, 0, 0x8000, 0x7fc0, 0x7f80, 0x3f8d, 0xbfc0, 0x60ae, 1, 0x3f33, 0xff80, 0x3f80, 0x7f7f,
        0x3f00, 0x4020, 0xc020, 0xe0ae, 0x4f00, 0xcf01, 0x4f80, 0x5f00, 0x0080, 0xbe9a, 0x4700)
SPECIAL(f16x2, 0x00008000, 0x80000000, 0x7e003c66, 0x7c00fc00, 0x3c663999, 0xbe007bff, 0x00017bff,
        0x3c007e00)
SPECIAL(bf16x2, 0x00008000, 0x80000000, 0x7fc03f8d, 0x7f80ff80, 0x3f8d3f33, 0xbfc060ae, 0x00017f7f,
        0x3f807fc0)
SPECIAL(i32, 0, 0xffffffff, 0x80000000, 0x7fffffff, 1, 0x12345678, 32, 0xfedcba98, 31, 33,
        0x00ffffff, 0xff800000, 0x80000001, 0x01000001, 0xfeffffff, 2)
SPECIAL(u32, 0, 0xffffffff, 0x80000000, 0x7fffffff, 1, 0x12345678, 32, 0xfedcba98, 31, 33,
        0x00ffffff, 0xff800000, 0x80000001, 0x01000001, 0xfeffffff, 2)
SPECIAL(i64, 0, 0xffffffffffffffff, 0x8000000000000000, 0x7fffffffffffffff, 1, 0x123456789abcdef0,
        0x80000000, 0xfedcba9876543210, 0x20000000000001, 0xffffffff80000000, 0x8000000000000001,
        0x0180000000000001, 0x4080000000000001)
SPECIAL(u64, 0, 0xffffffffffffffff, 0x8000000000000000, 0x7fffffffffffffff, 1, 0x123456789abcdef0,
        0x80000000, 0xfedcba9876543210, 0x20000000000001, 0xffffffff80000000, 0x8000000000000001,
        0x0180000000000001, 0x4080000000000001)
SPECIAL(i16, 0, 0xffff, 0x8000, 0x7fff, 1, 0x1234, 2049, 0xf7ff)
SPECIAL(u16, 0, 0xffff, 0x8000, 0x7fff, 1, 0x1234, 2049, 0xf7ff)
#undef SPECIAL

template <class T>
__device__ __forceinline__ T from_bits(u64 bits) {
  return (T)bits;
}
template <>
__device__ __forceinline__ f32 from_bits<f32>(u64 bits) {
  return __uint_as_float((u32)bits);
}
template <>
__device__ __forceinline__ f64 from_bits<f64>(u64 bits) {
  return __longlong_as_double((i64)bits);
}
template <>
__device__ __forceinline__ f16 from_bits<f16>(u64 bits) {
  return __ushort_as_half((u16)bits);
}
template <>
__device__ __forceinline__ f16x2 from_bits<f16x2>(u64 bits) {
  return __halves2half2(from_bits<f16>(bits & 0xffff), from_bits<f16>(bits >> 16));
}
template <>
__device__ __forceinline__ bf16 from_bits<bf16>(u64 bits) {
  return __ushort_as_bfloat16((u16)bits);
}
template <>
__device__ __forceinline__ bf16x2 from_bits<bf16x2>(u64 bits) {
  return __halves2bfloat162(from_bits<bf16>(bits & 0xffff), from_bits<bf16>(bits >> 16));
}

template <class T>
__device__ __forceinline__ u64 to_bits(T x) {
  return (u64)x & (sizeof x == 8 ? ~0ull : (1ull << (8 * sizeof x % 64)) - 1);
}
__device__ __forceinline__ u64 to_bits(f32 x) {
  const u32 bits = __float_as_uint(x);
  return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits;
}
__device__ __forceinline__ u64 to_bits(f64 x) {
  const u64 bits = (u64)__double_as_longlong(x);
  return (bits & ~(1ull << 63)) > 0x7ff0000000000000 ? 0x7ff8000000000000 : bits;
}
__device__ __forceinline__ u64 to_bits(f16 x) {
  const u16 bits = __half_as_ushort(x);
  return (bits & 0x7fff) > 0x7c00 ? 0x7e00 : bits;
}
__device__ __forceinline__ u64 to_bits(f16x2 x) {
  return to_bits(__low2half(x)) | to_bits(__high2half(x)) << 16;
}
__device__ __forceinline__ u64 to_bits(bf16 x) {
  const u16 bits = __bfloat16_as_ushort(x);
  return (bits & 0x7fff) > 0x7f80 ? 0x7fc0 : bits;
}
__device__ __forceinline__ u64 to_bits(bf16x2 x) {
  return to_bits(__low2bfloat16(x)) | to_bits(__high2bfloat16(x)) << 16;
}

template <class... A>
struct Arguments {
  /// Values of each argument.
  static constexpr int kValues = sizeof...(A) == 1 ? 26 : sizeof...(A) == 2 ? 9 : 5;
  template <class T>
  static constexpr int values_of() {
    return Special<T>::kCount < kValues ? Special<T>::kCount : kValues;
  }
  static constexpr int kCalls = (values_of<A>() * ...);
  static_assert(kCalls <= kMost);
};

/// The bits of an argument of a call.
/// @param stride  the product of the number of values of the arguments before it
template <class T, class Arguments>
__host__ __device__ constexpr u64 argument(int call, int stride) {
  constexpr int kValues =
      Special<T>::kCount < Arguments::kValues ? Special<T>::kCount : Arguments::kValues;
  return Special<T>::at(call / stride % kValues);
}

template <class Case, class Arguments>
struct Caller;
template <class Case, class A>
struct Caller<Case, Arguments<A>> {
  using Of = Arguments<A>;
  static constexpr void fill(int call, u64* to) { to[0] = argument<A, Of>(call, 1); }
  static __device__ __forceinline__ u64 call(u64 a, u64, u64) {
    return to_bits(Case::call(from_bits<A>(a)));
  }
  template <int I>
  static __device__ __forceinline__ u64 constant() {
    constexpr u64 a = argument<A, Of>(I, 1);
    return call(a, 0, 0);
  }
};
template <class Case, class A, class B>
struct Caller<Case, Arguments<A, B>> {
  using Of = Arguments<A, B>;
  static constexpr int kB = Of::template values_of<A>();
  static constexpr void fill(int call, u64* to) {
    to[0] = argument<A, Of>(call, 1);
    to[1] = argument<B, Of>(call, kB);
  }
  static __device__ __forceinline__ u64 call(u64 a, u64 b, u64) {
    return to_bits(Case::call(from_bits<A>(a), from_bits<B>(b)));
  }
  template <int I>
  static __device__ __forceinline__ u64 constant() {
    constexpr u64 a = argument<A, Of>(I, 1), b = argument<B, Of>(I, kB);
    return call(a, b, 0);
  }
};
template <class Case, class A, class B, class C>
struct Caller<Case, Arguments<A, B, C>> {
  using Of = Arguments<A, B, C>;
  static constexpr int kB = Of::template values_of<A>();
  static constexpr int kC = kB * Of::template values_of<B>();
  static constexpr void fill(int call, u64* to) {
    to[0] = argument<A, Of>(call, 1);
    to[1] = argument<B, Of>(call, kB);
    to[2] = argument<C, Of>(call, kC);
  }
  static __device__ __forceinline__ u64 call(u64 a, u64 b, u64 c) {
    return to_bits(Case::call(from_bits<A>(a), from_bits<B>(b), from_bits<C>(c)));
  }
  template <int I>
  static __device__ __forceinline__ u64 constant() {
    constexpr u64 a = argument<A, Of>(I, 1), b = argument<B, Of>(I, kB), c = argument<C, Of>(I, kC);
    return call(a, b, c);
  }
};

template <class Case>
__global__ void from_memory(const u64* arguments, u64* results) {
  const u64* own = arguments + 3 * threadIdx.x;
  results[threadIdx.x] = Caller<Case, typename Case::Takes>::call(own[0], own[1], own[2]);
}

template <class Case, int... I>
__device__ void store_constants(u64* results, std::integer_sequence<int, I...>) {
  ((results[I] = Caller<Case, typename Case::Takes>::template constant<I>()), ...);
}
template <class Case>
__global__ void of_constants(u64* results) {
  store_constants<Case>(results, std::make_integer_sequence<int, Case::Takes::kCalls>());
}

inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(2);
}

/// @param kWithConstants  whether they are used as constants, too
template <class Case, bool kWithConstants>
void run_case() {
  constexpr int kCalls = Case::Takes::kCalls;
  u64 arguments[3 * kMost] = {}, results[2][kMost];
  for (int i = 0; i < kCalls; ++i) Caller<Case, typename Case::Takes>::fill(i, arguments + 3 * i);
  u64 *in = nullptr, *out = nullptr;
  check(cudaMalloc(&in, sizeof arguments));
  check(cudaMalloc(&out, sizeof results[0]));
  check(cudaMemcpy(in, arguments, sizeof arguments, cudaMemcpyHostToDevice));
  from_memory<Case><<<1, kCalls>>>(in, out);
  check(cudaGetLastError());
  check(cudaMemcpy(results[0], out, kCalls * sizeof(u64), cudaMemcpyDeviceToHost));
  if constexpr (kWithConstants) of_constants<Case><<<1, 1>>>(out);
  check(cudaGetLastError());
  check(cudaMemcpy(results[1], out, kCalls * sizeof(u64), cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  bool same = true;
  std::printf("%s:", Case::kName);
  for (int i = 0; i < kCalls; ++i) {
    same = same && results[0][i] == results[1][i];
    std::printf(" %llx", results[0][i]);
  }
  std::printf("\n");
  if (same) return;
  std::printf("%s, constants:", Case::kName);
  for (int i = 0; i < kCalls; ++i) std::printf(" %llx", results[1][i]);
  std::printf("\n");
}

inline std::vector<void (*)()>& cases() {
  static std::vector<void (*)()> all;
  return all;
}
struct Listed {
  explicit Listed(void (*run)()) { cases().push_back(run); }
};
inline int run_cases() {
  for (void (*const run)() : cases()) run();
  return 0;
}

#define CASE(id, name, with_constants, parameters, expression, ...)               \
  struct Case_##id {                                                              \
    static constexpr const char* kName = name;                                    \
    using Takes = Arguments<__VA_ARGS__>;                                         \
    static __device__ __forceinline__ auto call parameters { return expression; } \
  };                                                                              \
  static const Listed listed_##id(run_case<Case_##id, with_constants>);
// An expression of a, of a and b, or of a, b and c.
#define CASE_1(id, name, A, expression) CASE(id, name " " #A, true, (A a), (expression), A)
#define CASE_2(id, name, A, B, expression) \
  CASE(id, name " " #A " " #B, true, (A a, B b), (expression), A, B)
#define CASE_3(id, name, A, B, C, expression) \
  CASE(id, name " " #A " " #B " " #C, true, (A a, B b, C c), (expression), A, B, C)
#define FROM_MEMORY_3(id, name, A, B, C, expression) \
  CASE(id, name " " #A " " #B " " #C, false, (A a, B b, C c), (expression), A, B, C)
// One call of a function.
#define OF_1(function, A) CASE_1(function##_##A, #function, A, function(a))
#define OF_2(function, A, B) CASE_2(function##_##A##_##B, #function, A, B, function(a, b))
#define OF_3(function, A, B, C) \
  CASE_3(function##_##A##_##B##_##C, #function, A, B, C, function(a, b, c))
// All rounding modes.
#define ROUNDED(of, function, ...)                                                             \
  of(function##_rn, __VA_ARGS__) of(function##_rz, __VA_ARGS__) of(function##_rd, __VA_ARGS__) \
      of(function##_ru, __VA_ARGS__)
