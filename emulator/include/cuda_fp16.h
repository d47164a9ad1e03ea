#pragma once

// Numbers in half precision (CUDA Math API, "FP16 Intrinsics"): conversions for host and
// device, arithmetic in device code by PTX's instructions for the type.

#include "cuda_runtime.h"
#include "warpgrade/float16.h"

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

struct __half;
WARPGRADE_HOST_DEVICE __half __float2half_rn(float a);
WARPGRADE_HOST_DEVICE __half __double2half(double a);
WARPGRADE_HOST_DEVICE float __half2float(__half a);

struct __attribute__((aligned(2))) __half {
  __half() = default;
  WARPGRADE_HD_MEMBER __half(const __half_raw& raw) : bits_(raw.x) {}
  WARPGRADE_HD_MEMBER __half(float value) { *this = __float2half_rn(value); }
  WARPGRADE_HD_MEMBER __half(double value) { *this = __double2half(value); }
  WARPGRADE_HD_MEMBER __half(int value) { *this = __double2half(value); }
  WARPGRADE_HD_MEMBER __half(unsigned value) { *this = __double2half(value); }
  WARPGRADE_HD_MEMBER __half(short value) { *this = __float2half_rn(value); }
  WARPGRADE_HD_MEMBER __half(unsigned short value) { *this = __float2half_rn(value); }
  // Beyond 2^53 it is infinite in any case.
  WARPGRADE_HD_MEMBER __half(long value) { *this = __double2half((double)value); }
  WARPGRADE_HD_MEMBER __half(unsigned long value) { *this = __double2half((double)value); }
  WARPGRADE_HD_MEMBER __half(long long value) { *this = __double2half((double)value); }
  WARPGRADE_HD_MEMBER __half(unsigned long long value) { *this = __double2half((double)value); }
  WARPGRADE_HD_MEMBER operator float() const { return __half2float(*this); }
  WARPGRADE_HD_MEMBER operator __half_raw() const { return __half_raw{bits_}; }

  unsigned short bits_;
};

struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  WARPGRADE_HD_MEMBER __half2(const __half& low, const __half& high) : x(low), y(high) {}
};

#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
#endif

namespace warpgrade_cuda {
WARPGRADE_HOST_DEVICE __half half_of(unsigned short bits) {
  __half result;
  result.bits_ = bits;
  return result;
}
WARPGRADE_HOST_DEVICE unsigned word_of(const __half2& a) {
  return __builtin_bit_cast(unsigned, a);
}
WARPGRADE_HOST_DEVICE __half2 half2_of(unsigned word) {
  return __builtin_bit_cast(__half2, word);
}
}  // namespace warpgrade_cuda

WARPGRADE_HOST_DEVICE unsigned short __half_as_ushort(const __half a) {
  return a.bits_;
}
WARPGRADE_HOST_DEVICE short __half_as_short(const __half a) {
  return (short)a.bits_;
}
WARPGRADE_HOST_DEVICE __half __ushort_as_half(unsigned short bits) {
  return warpgrade_cuda::half_of(bits);
}
WARPGRADE_HOST_DEVICE __half __short_as_half(short bits) {
  return warpgrade_cuda::half_of((unsigned short)bits);
}

// Conversions; without a suffix to the nearest, ties to even.
#if defined(__CUDA_ARCH__)
#define WARPGRADE_NARROW(name, type, suffix, ptx, letter, mode) \
  WARPGRADE_HOST_DEVICE __half name##suffix(type a) {           \
    unsigned short bits;                                        \
    asm("cvt." ptx ";" : "=h"(bits) : letter(a));               \
    return warpgrade_cuda::half_of(bits);                       \
  }
#define WARPGRADE_TO_INTEGER(name, type, suffix, ptx, letter, mode) \
  WARPGRADE_HOST_DEVICE type name##suffix(__half a) {               \
    type result;                                                    \
    asm("cvt." ptx ";" : "=" letter(result) : "h"(a.bits_));        \
    return result;                                                  \
  }
#else
#define WARPGRADE_NARROW(name, type, suffix, ptx, letter, mode)                    \
  WARPGRADE_HOST_DEVICE __half name##suffix(type a) {                              \
    return warpgrade_cuda::half_of(                                                \
        warpgrade_cuda::narrow_16<10>((double)a, warpgrade_cuda::Rounding::mode)); \
  }
#define WARPGRADE_TO_INTEGER(name, type, suffix, ptx, letter, mode)                   \
  WARPGRADE_HOST_DEVICE type name##suffix(__half a) {                                 \
    const float value =                                                               \
        warpgrade_cuda::round_whole(__half2float(a), warpgrade_cuda::Rounding::mode); \
    return warpgrade_cuda::saturate<type>(value);                                     \
  }
#endif

WARPGRADE_NARROW(__float2half, float, _rn, "rn.f16.f32 %0, %1", "f", nearest)
WARPGRADE_NARROW(__int2half, int, _rn, "rn.f16.s32 %0, %1", "r", nearest)
WARPGRADE_NARROW(__uint2half, unsigned, _rn, "rn.f16.u32 %0, %1", "r", nearest)
WARPGRADE_NARROW(__short2half, short, _rn, "rn.f16.s16 %0, %1", "h", nearest)
WARPGRADE_NARROW(__ushort2half, unsigned short, _rn, "rn.f16.u16 %0, %1", "h", nearest)
WARPGRADE_NARROW(__ll2half, long long, _rn, "rn.f16.s64 %0, %1", "l", nearest)
WARPGRADE_NARROW(__ull2half, unsigned long long, _rn, "rn.f16.u64 %0, %1", "l", nearest)
WARPGRADE_NARROW(__float2half, float, _rz, "rz.f16.f32 %0, %1", "f", zero)
WARPGRADE_NARROW(__int2half, int, _rz, "rz.f16.s32 %0, %1", "r", zero)
WARPGRADE_NARROW(__uint2half, unsigned, _rz, "rz.f16.u32 %0, %1", "r", zero)
WARPGRADE_NARROW(__short2half, short, _rz, "rz.f16.s16 %0, %1", "h", zero)
WARPGRADE_NARROW(__ushort2half, unsigned short, _rz, "rz.f16.u16 %0, %1", "h", zero)
WARPGRADE_NARROW(__ll2half, long long, _rz, "rz.f16.s64 %0, %1", "l", zero)
WARPGRADE_NARROW(__ull2half, unsigned long long, _rz, "rz.f16.u64 %0, %1", "l", zero)
WARPGRADE_NARROW(__float2half, float, _rd, "rm.f16.f32 %0, %1", "f", down)
WARPGRADE_NARROW(__int2half, int, _rd, "rm.f16.s32 %0, %1", "r", down)
WARPGRADE_NARROW(__uint2half, unsigned, _rd, "rm.f16.u32 %0, %1", "r", down)
WARPGRADE_NARROW(__short2half, short, _rd, "rm.f16.s16 %0, %1", "h", down)
WARPGRADE_NARROW(__ushort2half, unsigned short, _rd, "rm.f16.u16 %0, %1", "h", down)
WARPGRADE_NARROW(__ll2half, long long, _rd, "rm.f16.s64 %0, %1", "l", down)
WARPGRADE_NARROW(__ull2half, unsigned long long, _rd, "rm.f16.u64 %0, %1", "l", down)
WARPGRADE_NARROW(__float2half, float, _ru, "rp.f16.f32 %0, %1", "f", up)
WARPGRADE_NARROW(__int2half, int, _ru, "rp.f16.s32 %0, %1", "r", up)
WARPGRADE_NARROW(__uint2half, unsigned, _ru, "rp.f16.u32 %0, %1", "r", up)
WARPGRADE_NARROW(__short2half, short, _ru, "rp.f16.s16 %0, %1", "h", up)
WARPGRADE_NARROW(__ushort2half, unsigned short, _ru, "rp.f16.u16 %0, %1", "h", up)
WARPGRADE_NARROW(__ll2half, long long, _ru, "rp.f16.s64 %0, %1", "l", up)
WARPGRADE_NARROW(__ull2half, unsigned long long, _ru, "rp.f16.u64 %0, %1", "l", up)
WARPGRADE_NARROW(__double2half, double, , "rn.f16.f64 %0, %1", "d", nearest)
WARPGRADE_HOST_DEVICE __half __float2half(float a) {
  return __float2half_rn(a);
}
WARPGRADE_HOST_DEVICE float __half2float(__half a) {
#if defined(__CUDA_ARCH__)
  float result;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(a.bits_));
  return result;
#else
  return warpgrade_cuda::widen_16<10>(a.bits_);
#endif
}
WARPGRADE_TO_INTEGER(__half2int, int, _rn, "rni.s32.f16 %0, %1", "r", nearest)
WARPGRADE_TO_INTEGER(__half2uint, unsigned, _rn, "rni.u32.f16 %0, %1", "r", nearest)
WARPGRADE_TO_INTEGER(__half2short, short, _rn, "rni.s16.f16 %0, %1", "h", nearest)
WARPGRADE_TO_INTEGER(__half2ushort, unsigned short, _rn, "rni.u16.f16 %0, %1", "h", nearest)
WARPGRADE_TO_INTEGER(__half2ll, long long, _rn, "rni.s64.f16 %0, %1", "l", nearest)
WARPGRADE_TO_INTEGER(__half2ull, unsigned long long, _rn, "rni.u64.f16 %0, %1", "l", nearest)
WARPGRADE_TO_INTEGER(__half2int, int, _rz, "rzi.s32.f16 %0, %1", "r", zero)
WARPGRADE_TO_INTEGER(__half2uint, unsigned, _rz, "rzi.u32.f16 %0, %1", "r", zero)
WARPGRADE_TO_INTEGER(__half2short, short, _rz, "rzi.s16.f16 %0, %1", "h", zero)
WARPGRADE_TO_INTEGER(__half2ushort, unsigned short, _rz, "rzi.u16.f16 %0, %1", "h", zero)
WARPGRADE_TO_INTEGER(__half2ll, long long, _rz, "rzi.s64.f16 %0, %1", "l", zero)
WARPGRADE_TO_INTEGER(__half2ull, unsigned long long, _rz, "rzi.u64.f16 %0, %1", "l", zero)
WARPGRADE_TO_INTEGER(__half2int, int, _rd, "rmi.s32.f16 %0, %1", "r", down)
WARPGRADE_TO_INTEGER(__half2uint, unsigned, _rd, "rmi.u32.f16 %0, %1", "r", down)
WARPGRADE_TO_INTEGER(__half2short, short, _rd, "rmi.s16.f16 %0, %1", "h", down)
WARPGRADE_TO_INTEGER(__half2ushort, unsigned short, _rd, "rmi.u16.f16 %0, %1", "h", down)
WARPGRADE_TO_INTEGER(__half2ll, long long, _rd, "rmi.s64.f16 %0, %1", "l", down)
WARPGRADE_TO_INTEGER(__half2ull, unsigned long long, _rd, "rmi.u64.f16 %0, %1", "l", down)
WARPGRADE_TO_INTEGER(__half2int, int, _ru, "rpi.s32.f16 %0, %1", "r", up)
WARPGRADE_TO_INTEGER(__half2uint, unsigned, _ru, "rpi.u32.f16 %0, %1", "r", up)
WARPGRADE_TO_INTEGER(__half2short, short, _ru, "rpi.s16.f16 %0, %1", "h", up)
WARPGRADE_TO_INTEGER(__half2ushort, unsigned short, _ru, "rpi.u16.f16 %0, %1", "h", up)
WARPGRADE_TO_INTEGER(__half2ll, long long, _ru, "rpi.s64.f16 %0, %1", "l", up)
WARPGRADE_TO_INTEGER(__half2ull, unsigned long long, _ru, "rpi.u64.f16 %0, %1", "l", up)
#undef WARPGRADE_TO_INTEGER
#undef WARPGRADE_NARROW

// Pairs.
WARPGRADE_HOST_DEVICE __half2 make_half2(__half x, __half y) {
  return __half2(x, y);
}
WARPGRADE_HOST_DEVICE __half2 __halves2half2(__half a, __half b) {
  return __half2(a, b);
}
WARPGRADE_HOST_DEVICE __half2 __half2half2(__half a) {
  return __half2(a, a);
}
WARPGRADE_HOST_DEVICE __half2 __floats2half2_rn(float a, float b) {
  return __half2(__float2half_rn(a), __float2half_rn(b));
}
WARPGRADE_HOST_DEVICE __half2 __float22half2_rn(float2 a) {
  return __floats2half2_rn(a.x, a.y);
}
WARPGRADE_HOST_DEVICE __half2 __float2half2_rn(float a) {
  return __floats2half2_rn(a, a);
}
WARPGRADE_HOST_DEVICE float2 __half22float2(__half2 a) {
  return float2{__half2float(a.x), __half2float(a.y)};
}
WARPGRADE_HOST_DEVICE float __low2float(__half2 a) {
  return __half2float(a.x);
}
WARPGRADE_HOST_DEVICE float __high2float(__half2 a) {
  return __half2float(a.y);
}
WARPGRADE_HOST_DEVICE __half __low2half(__half2 a) {
  return a.x;
}
WARPGRADE_HOST_DEVICE __half __high2half(__half2 a) {
  return a.y;
}
WARPGRADE_HOST_DEVICE __half2 __low2half2(__half2 a) {
  return __half2(a.x, a.x);
}
WARPGRADE_HOST_DEVICE __half2 __high2half2(__half2 a) {
  return __half2(a.y, a.y);
}
WARPGRADE_HOST_DEVICE __half2 __lows2half2(__half2 a, __half2 b) {
  return __half2(a.x, b.x);
}
WARPGRADE_HOST_DEVICE __half2 __highs2half2(__half2 a, __half2 b) {
  return __half2(a.y, b.y);
}
WARPGRADE_HOST_DEVICE __half2 __lowhigh2highlow(__half2 a) {
  return __half2(a.y, a.x);
}

#if defined(__CUDA__)

#define WARPGRADE_16(name, ptx, ptx2)                                        \
  WARPGRADE_DEVICE __half name(__half a, __half b) {                         \
    unsigned short d;                                                        \
    asm("{" ptx "}" : "=h"(d) : "h"(a.bits_), "h"(b.bits_));                 \
    return warpgrade_cuda::half_of(d);                                       \
  }                                                                          \
  WARPGRADE_DEVICE __half2 name##2(__half2 a, __half2 b) {                   \
    unsigned d;                                                              \
    asm("{" ptx2 "}"                                                         \
        : "=r"(d)                                                            \
        : "r"(warpgrade_cuda::word_of(a)), "r"(warpgrade_cuda::word_of(b))); \
    return warpgrade_cuda::half2_of(d);                                      \
  }
#define WARPGRADE_16_FMA(name, name2, ptx, ptx2)                                      \
  WARPGRADE_DEVICE __half name(__half a, __half b, __half c) {                        \
    unsigned short d;                                                                 \
    asm(ptx " %0, %1, %2, %3;" : "=h"(d) : "h"(a.bits_), "h"(b.bits_), "h"(c.bits_)); \
    return warpgrade_cuda::half_of(d);                                                \
  }                                                                                   \
  WARPGRADE_DEVICE __half2 name2(__half2 a, __half2 b, __half2 c) {                   \
    unsigned d;                                                                       \
    asm(ptx2 " %0, %1, %2, %3;"                                                       \
        : "=r"(d)                                                                     \
        : "r"(warpgrade_cuda::word_of(a)), "r"(warpgrade_cuda::word_of(b)),           \
          "r"(warpgrade_cuda::word_of(c)));                                           \
    return warpgrade_cuda::half2_of(d);                                               \
  }
WARPGRADE_16(__hadd, "add.f16 %0, %1, %2;", "add.f16x2 %0, %1, %2;")
WARPGRADE_16(__hsub, "sub.f16 %0, %1, %2;", "sub.f16x2 %0, %1, %2;")
WARPGRADE_16(__hmul, "mul.f16 %0, %1, %2;", "mul.f16x2 %0, %1, %2;")
WARPGRADE_DEVICE __half __hadd_rn(__half a, __half b) {
  unsigned short d;
  asm("add.rn.f16 %0, %1, %2;" : "=h"(d) : "h"(a.bits_), "h"(b.bits_));
  return warpgrade_cuda::half_of(d);
}
WARPGRADE_DEVICE __half2 __hadd2_rn(__half2 a, __half2 b) {
  unsigned d;
  asm("add.rn.f16x2 %0, %1, %2;"
      : "=r"(d)
      : "r"(warpgrade_cuda::word_of(a)), "r"(warpgrade_cuda::word_of(b)));
  return warpgrade_cuda::half2_of(d);
}
WARPGRADE_DEVICE __half __hsub_rn(__half a, __half b) {
  unsigned short d;
  asm("sub.rn.f16 %0, %1, %2;" : "=h"(d) : "h"(a.bits_), "h"(b.bits_));
  return warpgrade_cuda::half_of(d);
}
WARPGRADE_DEVICE __half2 __hsub2_rn(__half2 a, __half2 b) {
  unsigned d;
  asm("sub.rn.f16x2 %0, %1, %2;"
      : "=r"(d)
      : "r"(warpgrade_cuda::word_of(a)), "r"(warpgrade_cuda::word_of(b)));
  return warpgrade_cuda::half2_of(d);
}
WARPGRADE_DEVICE __half __hmul_rn(__half a, __half b) {
  unsigned short d;
  asm("mul.rn.f16 %0, %1, %2;" : "=h"(d) : "h"(a.bits_), "h"(b.bits_));
  return warpgrade_cuda::half_of(d);
}
WARPGRADE_DEVICE __half2 __hmul2_rn(__half2 a, __half2 b) {
  unsigned d;
  asm("mul.rn.f16x2 %0, %1, %2;"
      : "=r"(d)
      : "r"(warpgrade_cuda::word_of(a)), "r"(warpgrade_cuda::word_of(b)));
  return warpgrade_cuda::half2_of(d);
}
#define WARPGRADE_16_SAT(operation)                                                \
  WARPGRADE_DEVICE __half __h##operation##_sat(__half a, __half b) {               \
    unsigned short d;                                                              \
    asm(#operation ".sat.f16 %0, %1, %2;" : "=h"(d) : "h"(a.bits_), "h"(b.bits_)); \
    return warpgrade_cuda::half_of(d);                                             \
  }                                                                                \
  WARPGRADE_DEVICE __half2 __h##operation##2_sat(__half2 a, __half2 b) {           \
    unsigned d;                                                                    \
    asm(#operation ".sat.f16x2 %0, %1, %2;"                                        \
        : "=r"(d)                                                                  \
        : "r"(warpgrade_cuda::word_of(a)), "r"(warpgrade_cuda::word_of(b)));       \
    return warpgrade_cuda::half2_of(d);                                            \
  }
WARPGRADE_16_SAT(add)
WARPGRADE_16_SAT(sub)
WARPGRADE_16_SAT(mul)
#undef WARPGRADE_16_SAT
WARPGRADE_16_FMA(__hfma, __hfma2, "fma.rn.f16", "fma.rn.f16x2")
WARPGRADE_16_FMA(__hfma_sat, __hfma2_sat, "fma.rn.sat.f16", "fma.rn.sat.f16x2")
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
WARPGRADE_16(__hmin, "min.f16 %0, %1, %2;", "min.f16x2 %0, %1, %2;")
WARPGRADE_16(__hmax, "max.f16 %0, %1, %2;", "max.f16x2 %0, %1, %2;")
WARPGRADE_DEVICE __half __hmin_nan(__half a, __half b) {
  unsigned short d;
  asm("min.NaN.f16 %0, %1, %2;" : "=h"(d) : "h"(a.bits_), "h"(b.bits_));
  return warpgrade_cuda::half_of(d);
}
WARPGRADE_DEVICE __half __hmax_nan(__half a, __half b) {
  unsigned short d;
  asm("max.NaN.f16 %0, %1, %2;" : "=h"(d) : "h"(a.bits_), "h"(b.bits_));
  return warpgrade_cuda::half_of(d);
}
#else
// Below, by single precision, which the results come from and go back to exactly.
WARPGRADE_DEVICE __half __hmin(__half a, __half b) {
  return __float2half_rn(__builtin_fminf(__half2float(a), __half2float(b)));
}
WARPGRADE_DEVICE __half __hmax(__half a, __half b) {
  return __float2half_rn(__builtin_fmaxf(__half2float(a), __half2float(b)));
}
WARPGRADE_DEVICE __half2 __hmin2(__half2 a, __half2 b) {
  return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
WARPGRADE_DEVICE __half2 __hmax2(__half2 a, __half2 b) {
  return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
#endif
#undef WARPGRADE_16_FMA
#undef WARPGRADE_16

#define WARPGRADE_F16 __half
#define WARPGRADE_F16_PAIR __half2
#define WARPGRADE_F16_OF warpgrade_cuda::half_of
#define WARPGRADE_F16_PAIR_OF warpgrade_cuda::half2_of
#define WARPGRADE_F16_TO_FLOAT __half2float
#define WARPGRADE_F16_FROM_FLOAT __float2half_rn
#define WARPGRADE_F16_INFINITY 0x7c00
#include "warpgrade/float16_functions.h"
#include "warpgrade/float16_shuffles.h"
#undef WARPGRADE_F16
#undef WARPGRADE_F16_PAIR
#undef WARPGRADE_F16_OF
#undef WARPGRADE_F16_PAIR_OF
#undef WARPGRADE_F16_TO_FLOAT
#undef WARPGRADE_F16_FROM_FLOAT
#undef WARPGRADE_F16_INFINITY
WARPGRADE_DEVICE __half __ldg(const __half* pointer) {
  return warpgrade_cuda::half_of(__ldg((const unsigned short*)pointer));
}
WARPGRADE_DEVICE __half2 __ldg(const __half2* pointer) {
  return warpgrade_cuda::half2_of(__ldg((const unsigned*)pointer));
}

WARPGRADE_DEVICE __half atomicAdd(__half* address, __half value) {
  unsigned short old;
  asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
               : "=h"(old)
               : "l"(address), "h"(value.bits_)
               : "memory");
  return warpgrade_cuda::half_of(old);
}
WARPGRADE_DEVICE __half2 atomicAdd(__half2* address, __half2 value) {
  unsigned old;
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
               : "=r"(old)
               : "l"(address), "r"(warpgrade_cuda::word_of(value))
               : "memory");
  return warpgrade_cuda::half2_of(old);
}

#endif  // __CUDA__
