#pragma once

// Numbers in bfloat16 (CUDA Math API, "Bfloat16 Precision Intrinsics"); its arithmetic needs
// compute capability 8.0: conversions for host and device, arithmetic in device code by PTX's
// instructions for the type.

#include "cuda_runtime.h"
#include "warpgrade/float16.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};

struct __nv_bfloat16;
WARPGRADE_HOST_DEVICE __nv_bfloat16 __float2bfloat16_rn(float a);
WARPGRADE_HOST_DEVICE __nv_bfloat16 __double2bfloat16(double a);
WARPGRADE_HOST_DEVICE float __bfloat162float(__nv_bfloat16 a);

struct __attribute__((aligned(2))) __nv_bfloat16 {
  __nv_bfloat16() = default;
  WARPGRADE_HD_MEMBER __nv_bfloat16(const __nv_bfloat16_raw& raw) : bits_(raw.x) {}
  WARPGRADE_HD_MEMBER __nv_bfloat16(float value) { *this = __float2bfloat16_rn(value); }
  WARPGRADE_HD_MEMBER __nv_bfloat16(double value) { *this = __double2bfloat16(value); }
  WARPGRADE_HD_MEMBER __nv_bfloat16(int value) { *this = __double2bfloat16(value); }
  WARPGRADE_HD_MEMBER __nv_bfloat16(unsigned value) { *this = __double2bfloat16(value); }
  WARPGRADE_HD_MEMBER __nv_bfloat16(short value) { *this = __float2bfloat16_rn(value); }
  WARPGRADE_HD_MEMBER __nv_bfloat16(unsigned short value) { *this = __float2bfloat16_rn(value); }
  WARPGRADE_HD_MEMBER __nv_bfloat16(long value) : __nv_bfloat16((long long)value) {}
  WARPGRADE_HD_MEMBER __nv_bfloat16(unsigned long value)
      : __nv_bfloat16((unsigned long long)value) {}
  WARPGRADE_HD_MEMBER __nv_bfloat16(long long value) {
    *this = __double2bfloat16(warpgrade_cuda::shortened(value));
  }
  WARPGRADE_HD_MEMBER __nv_bfloat16(unsigned long long value) {
    *this = __double2bfloat16(warpgrade_cuda::shortened(value));
  }
  WARPGRADE_HD_MEMBER operator float() const { return __bfloat162float(*this); }
  WARPGRADE_HD_MEMBER operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{bits_}; }

  unsigned short bits_;
};

struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  WARPGRADE_HD_MEMBER __nv_bfloat162(const __nv_bfloat16& low, const __nv_bfloat16& high)
      : x(low), y(high) {}
};

#ifndef CUDA_NO_BFLOAT16
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
typedef __nv_bfloat162 nv_bfloat16x2;
#endif

namespace warpgrade_cuda {
WARPGRADE_HOST_DEVICE __nv_bfloat16 bfloat16_of(unsigned short bits) {
  __nv_bfloat16 result;
  result.bits_ = bits;
  return result;
}
WARPGRADE_HOST_DEVICE unsigned word_of(const __nv_bfloat162& a) {
  return __builtin_bit_cast(unsigned, a);
}
WARPGRADE_HOST_DEVICE __nv_bfloat162 bfloat162_of(unsigned word) {
  return __builtin_bit_cast(__nv_bfloat162, word);
}
}  // namespace warpgrade_cuda

WARPGRADE_HOST_DEVICE unsigned short __bfloat16_as_ushort(const __nv_bfloat16 a) {
  return a.bits_;
}
WARPGRADE_HOST_DEVICE short __bfloat16_as_short(const __nv_bfloat16 a) {
  return (short)a.bits_;
}
WARPGRADE_HOST_DEVICE __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  return warpgrade_cuda::bfloat16_of(bits);
}
WARPGRADE_HOST_DEVICE __nv_bfloat16 __short_as_bfloat16(short bits) {
  return warpgrade_cuda::bfloat16_of((unsigned short)bits);
}

// Conversions; without a suffix to the nearest, ties to even. The instruction for them needs
// compute capability 8.0; integer arithmetic does the same below.
#define WARPGRADE_NARROW(suffix, ptx, mode)                                       \
  WARPGRADE_HOST_DEVICE __nv_bfloat16 __float2bfloat16##suffix(float a) {         \
    return warpgrade_cuda::bfloat16_of(                                           \
        warpgrade_cuda::narrow_16<7>((double)a, warpgrade_cuda::Rounding::mode)); \
  }
WARPGRADE_NARROW(_rz, "rz", zero)
WARPGRADE_NARROW(_rd, "rm", down)
WARPGRADE_NARROW(_ru, "rp", up)
#undef WARPGRADE_NARROW
WARPGRADE_HOST_DEVICE __nv_bfloat16 __float2bfloat16_rn(float a) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(a));
  return warpgrade_cuda::bfloat16_of(bits);
#else
  return warpgrade_cuda::bfloat16_of(
      warpgrade_cuda::narrow_16<7>((double)a, warpgrade_cuda::Rounding::nearest));
#endif
}
WARPGRADE_HOST_DEVICE __nv_bfloat16 __float2bfloat16(float a) {
  return __float2bfloat16_rn(a);
}
WARPGRADE_HOST_DEVICE __nv_bfloat16 __double2bfloat16(double a) {
  return warpgrade_cuda::bfloat16_of(
      warpgrade_cuda::narrow_16<7>(a, warpgrade_cuda::Rounding::nearest));
}
WARPGRADE_HOST_DEVICE float __bfloat162float(__nv_bfloat16 a) {
  return __builtin_bit_cast(float, (unsigned)a.bits_ << 16);
}
WARPGRADE_HOST_DEVICE __nv_bfloat16 __int2bfloat16_rn(int a) {
  return __double2bfloat16(a);
}
WARPGRADE_HOST_DEVICE __nv_bfloat16 __uint2bfloat16_rn(unsigned a) {
  return __double2bfloat16(a);
}
WARPGRADE_HOST_DEVICE __nv_bfloat16 __short2bfloat16_rn(short a) {
  return __double2bfloat16(a);
}
WARPGRADE_HOST_DEVICE __nv_bfloat16 __ushort2bfloat16_rn(unsigned short a) {
  return __double2bfloat16(a);
}
// Beyond the range its end, NaN to 0, by PTX's conversions in device code.
#if defined(__CUDA_ARCH__)
#define WARPGRADE_TO_INTEGER(name, type, suffix, ptx, mode)                   \
  WARPGRADE_HOST_DEVICE type name##suffix(__nv_bfloat16 a) {                  \
    int result;                                                               \
    asm("cvt." ptx ".f32 %0, %1;" : "=r"(result) : "f"(__bfloat162float(a))); \
    return (type)result;                                                      \
  }
#else
#define WARPGRADE_TO_INTEGER(name, type, suffix, ptx, mode)                                \
  WARPGRADE_HOST_DEVICE type name##suffix(__nv_bfloat16 a) {                               \
    return warpgrade_cuda::saturate<type>(                                                 \
        warpgrade_cuda::round_whole(__bfloat162float(a), warpgrade_cuda::Rounding::mode)); \
  }
#endif
#define WARPGRADE_TO_INTEGERS(suffix, ptx, mode)                            \
  WARPGRADE_TO_INTEGER(__bfloat162int, int, suffix, ptx ".s32", mode)       \
  WARPGRADE_TO_INTEGER(__bfloat162uint, unsigned, suffix, ptx ".u32", mode) \
  WARPGRADE_TO_INTEGER(__bfloat162short, short, suffix, ptx ".s16", mode)   \
  WARPGRADE_TO_INTEGER(__bfloat162ushort, unsigned short, suffix, ptx ".u16", mode)
WARPGRADE_TO_INTEGERS(_rn, "rni", nearest)
WARPGRADE_TO_INTEGERS(_rz, "rzi", zero)
#undef WARPGRADE_TO_INTEGERS
#undef WARPGRADE_TO_INTEGER

// Pairs.
WARPGRADE_HOST_DEVICE __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return __nv_bfloat162(x, y);
}
WARPGRADE_HOST_DEVICE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
WARPGRADE_HOST_DEVICE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) {
  return __nv_bfloat162(a, a);
}
WARPGRADE_HOST_DEVICE __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return __nv_bfloat162(__float2bfloat16_rn(a), __float2bfloat16_rn(b));
}
WARPGRADE_HOST_DEVICE __nv_bfloat162 __float22bfloat162_rn(float2 a) {
  return __floats2bfloat162_rn(a.x, a.y);
}
WARPGRADE_HOST_DEVICE __nv_bfloat162 __float2bfloat162_rn(float a) {
  return __floats2bfloat162_rn(a, a);
}
WARPGRADE_HOST_DEVICE float2 __bfloat1622float2(__nv_bfloat162 a) {
  return float2{__bfloat162float(a.x), __bfloat162float(a.y)};
}
WARPGRADE_HOST_DEVICE float __low2float(__nv_bfloat162 a) {
  return __bfloat162float(a.x);
}
WARPGRADE_HOST_DEVICE float __high2float(__nv_bfloat162 a) {
  return __bfloat162float(a.y);
}
WARPGRADE_HOST_DEVICE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) {
  return a.x;
}
WARPGRADE_HOST_DEVICE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) {
  return a.y;
}
WARPGRADE_HOST_DEVICE __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) {
  return __nv_bfloat162(a.x, a.x);
}
WARPGRADE_HOST_DEVICE __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) {
  return __nv_bfloat162(a.y, a.y);
}
WARPGRADE_HOST_DEVICE __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __nv_bfloat162(a.x, b.x);
}
WARPGRADE_HOST_DEVICE __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __nv_bfloat162(a.y, b.y);
}
WARPGRADE_HOST_DEVICE __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) {
  return __nv_bfloat162(a.y, a.x);
}

#if defined(__CUDA__)

#define WARPGRADE_F16 __nv_bfloat16
#define WARPGRADE_F16_PAIR __nv_bfloat162
#define WARPGRADE_F16_OF warpgrade_cuda::bfloat16_of
#define WARPGRADE_F16_PAIR_OF warpgrade_cuda::bfloat162_of

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define WARPGRADE_16(name, ptx, ptx2)                                           \
  WARPGRADE_DEVICE __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {       \
    unsigned short d;                                                           \
    asm("{" ptx "}" : "=h"(d) : "h"(a.bits_), "h"(b.bits_));                    \
    return warpgrade_cuda::bfloat16_of(d);                                      \
  }                                                                             \
  WARPGRADE_DEVICE __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b) { \
    unsigned d;                                                                 \
    asm("{" ptx2 "}"                                                            \
        : "=r"(d)                                                               \
        : "r"(warpgrade_cuda::word_of(a)), "r"(warpgrade_cuda::word_of(b)));    \
    return warpgrade_cuda::bfloat162_of(d);                                     \
  }
#define WARPGRADE_16_FMA(name, ptx, ptx2)                                                         \
  WARPGRADE_DEVICE __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {        \
    unsigned short d;                                                                             \
    asm(ptx " %0, %1, %2, %3;" : "=h"(d) : "h"(a.bits_), "h"(b.bits_), "h"(c.bits_));             \
    return warpgrade_cuda::bfloat16_of(d);                                                        \
  }                                                                                               \
  WARPGRADE_DEVICE __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) { \
    unsigned d;                                                                                   \
    asm(ptx2 " %0, %1, %2, %3;"                                                                   \
        : "=r"(d)                                                                                 \
        : "r"(warpgrade_cuda::word_of(a)), "r"(warpgrade_cuda::word_of(b)),                       \
          "r"(warpgrade_cuda::word_of(c)));                                                       \
    return warpgrade_cuda::bfloat162_of(d);                                                       \
  }
// Compute capability 8.0 has fused multiply-add alone: a + b is a * 1 + b, a * b is a * b + -0.
WARPGRADE_16_FMA(__hfma, "fma.rn.bf16", "fma.rn.bf16x2")
WARPGRADE_DEVICE __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hfma(a, __ushort_as_bfloat16(0x3f80), b);
}
WARPGRADE_DEVICE __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hfma(b, __ushort_as_bfloat16(0xbf80), a);
}
WARPGRADE_DEVICE __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hfma(a, b, __ushort_as_bfloat16(0x8000));
}
WARPGRADE_DEVICE __nv_bfloat162 __hadd2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __hfma2(a, warpgrade_cuda::bfloat162_of(0x3f803f80u), b);
}
WARPGRADE_DEVICE __nv_bfloat162 __hsub2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __hfma2(b, warpgrade_cuda::bfloat162_of(0xbf80bf80u), a);
}
WARPGRADE_DEVICE __nv_bfloat162 __hmul2(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __hfma2(a, b, warpgrade_cuda::bfloat162_of(0x80008000u));
}
WARPGRADE_DEVICE __nv_bfloat16 __hadd_rn(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hadd(a, b);
}
WARPGRADE_DEVICE __nv_bfloat16 __hsub_rn(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hsub(a, b);
}
WARPGRADE_DEVICE __nv_bfloat16 __hmul_rn(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __hmul(a, b);
}
WARPGRADE_DEVICE __nv_bfloat162 __hadd2_rn(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __hadd2(a, b);
}
WARPGRADE_DEVICE __nv_bfloat162 __hsub2_rn(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __hsub2(a, b);
}
WARPGRADE_DEVICE __nv_bfloat162 __hmul2_rn(__nv_bfloat162 a, __nv_bfloat162 b) {
  return __hmul2(a, b);
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
WARPGRADE_16(__hmin, "min.bf16 %0, %1, %2;", "min.bf16x2 %0, %1, %2;")
WARPGRADE_16(__hmax, "max.bf16 %0, %1, %2;", "max.bf16x2 %0, %1, %2;")
WARPGRADE_DEVICE __nv_bfloat16 __hmin_nan(__nv_bfloat16 a, __nv_bfloat16 b) {
  unsigned short d;
  asm("min.NaN.bf16 %0, %1, %2;" : "=h"(d) : "h"(a.bits_), "h"(b.bits_));
  return warpgrade_cuda::bfloat16_of(d);
}
WARPGRADE_DEVICE __nv_bfloat16 __hmax_nan(__nv_bfloat16 a, __nv_bfloat16 b) {
  unsigned short d;
  asm("max.NaN.bf16 %0, %1, %2;" : "=h"(d) : "h"(a.bits_), "h"(b.bits_));
  return warpgrade_cuda::bfloat16_of(d);
}
#else
#endif
#undef WARPGRADE_16_FMA
#undef WARPGRADE_16

#define WARPGRADE_F16_TO_FLOAT __bfloat162float
#define WARPGRADE_F16_FROM_FLOAT __float2bfloat16_rn
#define WARPGRADE_F16_INFINITY 0x7f80
#include "warpgrade/float16_functions.h"
#endif  // compute capability 8.0
#include "warpgrade/float16_shuffles.h"
#undef WARPGRADE_F16
#undef WARPGRADE_F16_PAIR
#undef WARPGRADE_F16_OF
#undef WARPGRADE_F16_PAIR_OF
#undef WARPGRADE_F16_TO_FLOAT
#undef WARPGRADE_F16_FROM_FLOAT
#undef WARPGRADE_F16_INFINITY
WARPGRADE_DEVICE __nv_bfloat16 __ldg(const __nv_bfloat16* pointer) {
  return warpgrade_cuda::bfloat16_of(__ldg((const unsigned short*)pointer));
}
WARPGRADE_DEVICE __nv_bfloat162 __ldg(const __nv_bfloat162* pointer) {
  return warpgrade_cuda::bfloat162_of(__ldg((const unsigned*)pointer));
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
WARPGRADE_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16* address, __nv_bfloat16 value) {
  unsigned short old;
  asm volatile("atom.add.noftz.bf16 %0, [%1], %2;"
               : "=h"(old)
               : "l"(address), "h"(value.bits_)
               : "memory");
  return warpgrade_cuda::bfloat16_of(old);
}
WARPGRADE_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162* address, __nv_bfloat162 value) {
  unsigned old;
  asm volatile("atom.add.noftz.bf16x2 %0, [%1], %2;"
               : "=r"(old)
               : "l"(address), "r"(warpgrade_cuda::word_of(value))
               : "memory");
  return warpgrade_cuda::bfloat162_of(old);
}
#elif !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
WARPGRADE_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16* address, __nv_bfloat16 value) {
  unsigned short* const bits = (unsigned short*)address;
  unsigned short old = *(volatile unsigned short*)bits, seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, __hadd(warpgrade_cuda::bfloat16_of(seen), value).bits_);
  } while (old != seen);
  return warpgrade_cuda::bfloat16_of(old);
}
WARPGRADE_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162* address, __nv_bfloat162 value) {
  unsigned* const bits = (unsigned*)address;
  unsigned old = *(volatile unsigned*)bits, seen;
  do {
    seen = old;
    const __nv_bfloat162 sum = __hadd2(warpgrade_cuda::bfloat162_of(seen), value);
    old = atomicCAS(bits, seen, warpgrade_cuda::word_of(sum));
  } while (old != seen);
  return warpgrade_cuda::bfloat162_of(old);
}
#endif

#endif  // __CUDA__
