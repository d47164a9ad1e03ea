#pragma once

// Mathematical functions in device code (CUDA Math API, "Single Precision Mathematical Functions",
// "Double Precision Mathematical Functions"). What PTX has an instruction for becomes that; the
// rest calls __nv_<name>, which the emulator evaluates (math_names.h). Included before <cmath>: its
// constexpr overloads would otherwise be taken for device code, too.

#define WARPGRADE_NV extern "C" __device__ __attribute__((const))
#define WARPGRADE_MATH_1(name, ...)         \
  WARPGRADE_NV float __nv_##name##f(float); \
  WARPGRADE_NV double __nv_##name(double);  \
  WARPGRADE_DEVICE float name##f(float x) { \
    return __nv_##name##f(x);               \
  }                                         \
  WARPGRADE_DEVICE double name(double x) {  \
    return __nv_##name(x);                  \
  }
#define WARPGRADE_MATH_2(name, ...)                  \
  WARPGRADE_NV float __nv_##name##f(float, float);   \
  WARPGRADE_NV double __nv_##name(double, double);   \
  WARPGRADE_DEVICE float name##f(float x, float y) { \
    return __nv_##name##f(x, y);                     \
  }                                                  \
  WARPGRADE_DEVICE double name(double x, double y) { \
    return __nv_##name(x, y);                        \
  }
#define WARPGRADE_MATH_3(name, ...)                            \
  WARPGRADE_NV float __nv_##name##f(float, float, float);      \
  WARPGRADE_NV double __nv_##name(double, double, double);     \
  WARPGRADE_DEVICE float name##f(float x, float y, float z) {  \
    return __nv_##name##f(x, y, z);                            \
  }                                                            \
  WARPGRADE_DEVICE double name(double x, double y, double z) { \
    return __nv_##name(x, y, z);                               \
  }
#define WARPGRADE_MATH_4(name, ...)                                      \
  WARPGRADE_NV float __nv_##name##f(float, float, float, float);         \
  WARPGRADE_NV double __nv_##name(double, double, double, double);       \
  WARPGRADE_DEVICE float name##f(float x, float y, float z, float w) {   \
    return __nv_##name##f(x, y, z, w);                                   \
  }                                                                      \
  WARPGRADE_DEVICE double name(double x, double y, double z, double w) { \
    return __nv_##name(x, y, z, w);                                      \
  }
#define WARPGRADE_MATH_INT(name, ...)     \
  WARPGRADE_NV int __nv_##name##f(float); \
  WARPGRADE_NV int __nv_##name(double);   \
  WARPGRADE_DEVICE int name##f(float x) { \
    return __nv_##name##f(x);             \
  }                                       \
  WARPGRADE_DEVICE int name(float x) {    \
    return __nv_##name##f(x);             \
  }                                       \
  WARPGRADE_DEVICE int name(double x) {   \
    return __nv_##name(x);                \
  }
#define WARPGRADE_MATH_OF_INT(name, ...)           \
  WARPGRADE_NV float __nv_##name##f(float, int);   \
  WARPGRADE_NV double __nv_##name(double, int);    \
  WARPGRADE_DEVICE float name##f(float x, int n) { \
    return __nv_##name##f(x, n);                   \
  }                                                \
  WARPGRADE_DEVICE float name(float x, int n) {    \
    return __nv_##name##f(x, n);                   \
  }                                                \
  WARPGRADE_DEVICE double name(double x, int n) {  \
    return __nv_##name(x, n);                      \
  }
#define WARPGRADE_MATH_INT_OF(name, ...)           \
  WARPGRADE_NV float __nv_##name##f(int, float);   \
  WARPGRADE_NV double __nv_##name(int, double);    \
  WARPGRADE_DEVICE float name##f(int n, float x) { \
    return __nv_##name##f(n, x);                   \
  }                                                \
  WARPGRADE_DEVICE double name(int n, double x) {  \
    return __nv_##name(n, x);                      \
  }
// In C++ these are overloaded, in std as well.
#define WARPGRADE_MATH_STD_1(name, ...)  \
  WARPGRADE_MATH_1(name, __VA_ARGS__)    \
  WARPGRADE_DEVICE float name(float x) { \
    return __nv_##name##f(x);            \
  }
#define WARPGRADE_MATH_STD_2(name, ...)           \
  WARPGRADE_MATH_2(name, __VA_ARGS__)             \
  WARPGRADE_DEVICE float name(float x, float y) { \
    return __nv_##name##f(x, y);                  \
  }
#include "math_names.h"
#undef WARPGRADE_MATH_STD_1
#undef WARPGRADE_MATH_STD_2
#undef WARPGRADE_MATH_1
#undef WARPGRADE_MATH_2
#undef WARPGRADE_MATH_3
#undef WARPGRADE_MATH_4
#undef WARPGRADE_MATH_INT
#undef WARPGRADE_MATH_OF_INT
#undef WARPGRADE_MATH_INT_OF

// One instruction or a few.
#define WARPGRADE_SIMPLE_1(name)            \
  WARPGRADE_DEVICE float name##f(float x) { \
    return __builtin_##name##f(x);          \
  }                                         \
  WARPGRADE_DEVICE float name(float x) {    \
    return __builtin_##name##f(x);          \
  }                                         \
  WARPGRADE_DEVICE double name(double x) {  \
    return __builtin_##name(x);             \
  }
#define WARPGRADE_SIMPLE_2(name)                     \
  WARPGRADE_DEVICE float name##f(float x, float y) { \
    return __builtin_##name##f(x, y);                \
  }                                                  \
  WARPGRADE_DEVICE float name(float x, float y) {    \
    return __builtin_##name##f(x, y);                \
  }                                                  \
  WARPGRADE_DEVICE double name(double x, double y) { \
    return __builtin_##name(x, y);                   \
  }
WARPGRADE_SIMPLE_1(ceil)
WARPGRADE_SIMPLE_1(fabs)
WARPGRADE_SIMPLE_1(floor)
WARPGRADE_SIMPLE_1(nearbyint)
WARPGRADE_SIMPLE_1(rint)
WARPGRADE_SIMPLE_1(sqrt)
WARPGRADE_SIMPLE_1(trunc)
WARPGRADE_SIMPLE_2(copysign)
WARPGRADE_SIMPLE_2(fmax)
WARPGRADE_SIMPLE_2(fmin)
#undef WARPGRADE_SIMPLE_1
#undef WARPGRADE_SIMPLE_2
WARPGRADE_DEVICE float fmaf(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
WARPGRADE_DEVICE float fma(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
WARPGRADE_DEVICE double fma(double x, double y, double z) {
  return __builtin_fma(x, y, z);
}
WARPGRADE_DEVICE float rsqrtf(float x) {
  return __nvvm_rsqrt_approx_f(x);
}
WARPGRADE_DEVICE double rsqrt(double x) {
  return 1 / __builtin_sqrt(x);
}
WARPGRADE_DEVICE float rsqrt(float x) {
  return rsqrtf(x);
}
WARPGRADE_DEVICE float fdividef(float x, float y) {
  return x / y;
}

// A cast is undefined beyond the range; the instruction gives the end of the range, and of a NaN 0
// or the least number.
#define WARPGRADE_WHOLE(name, type, letter, to, to_letter, instruction) \
  WARPGRADE_DEVICE to name(type x) {                                    \
    to result;                                                          \
    asm(instruction " %0, %1;" : "=" to_letter(result) : letter(x));    \
    return result;                                                      \
  }
namespace warpgrade_cuda {
WARPGRADE_WHOLE(truncated, float, "f", long long, "l", "cvt.rzi.s64.f32")
WARPGRADE_WHOLE(truncated, double, "d", long long, "l", "cvt.rzi.s64.f64")
WARPGRADE_WHOLE(nearest, float, "f", long long, "l", "cvt.rni.s64.f32")
WARPGRADE_WHOLE(nearest, double, "d", long long, "l", "cvt.rni.s64.f64")
WARPGRADE_WHOLE(nearest_int, float, "f", int, "r", "cvt.rni.s32.f32")
WARPGRADE_WHOLE(nearest_int, double, "d", int, "r", "cvt.rni.s32.f64")
}  // namespace warpgrade_cuda
#undef WARPGRADE_WHOLE

// Functions that round, away from zero in the middle (round) and to even (rint).
#define WARPGRADE_ROUND(type, f)                                                               \
  WARPGRADE_DEVICE type round##f(type x) {                                                     \
    const type whole = __builtin_trunc##f(x);                                                  \
    const type part = __builtin_fabs##f(x - whole);                                            \
    return __builtin_copysign##f(part >= (type)0.5 ? __builtin_fabs##f(whole) + 1 : whole, x); \
  }                                                                                            \
  WARPGRADE_DEVICE long long llround##f(type x) {                                              \
    return warpgrade_cuda::truncated(round##f(x));                                             \
  }                                                                                            \
  WARPGRADE_DEVICE long lround##f(type x) {                                                    \
    return (long)llround##f(x);                                                                \
  }                                                                                            \
  WARPGRADE_DEVICE long long llrint##f(type x) {                                               \
    return warpgrade_cuda::nearest(x);                                                         \
  }                                                                                            \
  WARPGRADE_DEVICE long lrint##f(type x) {                                                     \
    return (long)llrint##f(x);                                                                 \
  }                                                                                            \
  WARPGRADE_DEVICE type fdim##f(type x, type y) {                                              \
    return x != x || y != y ? x + y : x > y ? x - y : 0;                                       \
  }                                                                                            \
  WARPGRADE_DEVICE type modf##f(type x, type* whole) {                                         \
    *whole = __builtin_trunc##f(x);                                                            \
    return __builtin_copysign##f(__builtin_isinf(x) ? 0 : x - *whole, x);                      \
  }                                                                                            \
  WARPGRADE_DEVICE type frexp##f(type x, int* exponent) {                                      \
    *exponent = 0;                                                                             \
    if (x == 0 || !__builtin_isfinite(x)) return x;                                            \
    *exponent = __nv_ilogb##f(x) + 1;                                                          \
    return __nv_ldexp##f(x, -*exponent);                                                       \
  }                                                                                            \
  WARPGRADE_DEVICE type scalbn##f(type x, int n) {                                             \
    return __nv_ldexp##f(x, n);                                                                \
  }                                                                                            \
  WARPGRADE_DEVICE type scalbln##f(type x, long n) {                                           \
    return __nv_ldexp##f(x, n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n);             \
  }                                                                                            \
  WARPGRADE_DEVICE type remquo##f(type x, type y, int* quotient) {                             \
    const type rest = __nv_remainder##f(x, y);                                                 \
    *quotient = warpgrade_cuda::nearest_int(__nv_fmod##f(x - rest, y * 8) / y);                \
    return rest;                                                                               \
  }                                                                                            \
  WARPGRADE_DEVICE void sincos##f(type x, type* sine, type* cosine) {                          \
    *sine = __nv_sin##f(x);                                                                    \
    *cosine = __nv_cos##f(x);                                                                  \
  }                                                                                            \
  WARPGRADE_DEVICE void sincospi##f(type x, type* sine, type* cosine) {                        \
    *sine = __nv_sinpi##f(x);                                                                  \
    *cosine = __nv_cospi##f(x);                                                                \
  }                                                                                            \
  WARPGRADE_DEVICE type norm##f(int n, const type* values) {                                   \
    type length = 0;                                                                           \
    for (int i = 0; i < n; ++i) length = __nv_hypot##f(length, values[i]);                     \
    return length;                                                                             \
  }
WARPGRADE_ROUND(float, f)
WARPGRADE_ROUND(double, )
#undef WARPGRADE_ROUND
WARPGRADE_DEVICE float round(float x) {
  return roundf(x);
}
WARPGRADE_DEVICE long lround(float x) {
  return lroundf(x);
}
WARPGRADE_DEVICE long long llround(float x) {
  return llroundf(x);
}
WARPGRADE_DEVICE long lrint(float x) {
  return lrintf(x);
}
WARPGRADE_DEVICE long long llrint(float x) {
  return llrintf(x);
}
WARPGRADE_DEVICE float fdim(float x, float y) {
  return fdimf(x, y);
}
WARPGRADE_DEVICE float modf(float x, float* whole) {
  return modff(x, whole);
}
WARPGRADE_DEVICE float frexp(float x, int* exponent) {
  return frexpf(x, exponent);
}
WARPGRADE_DEVICE float scalbn(float x, int n) {
  return scalbnf(x, n);
}
WARPGRADE_DEVICE float scalbln(float x, long n) {
  return scalblnf(x, n);
}
WARPGRADE_DEVICE float remquo(float x, float y, int* quotient) {
  return remquof(x, y, quotient);
}
// Not defined. Code for host and device that calls the host's would be ambiguous without them.
__device__ long double frexp(long double x, int* exponent);
__device__ long double modf(long double x, long double* whole);
__device__ long double remquo(long double x, long double y, int* quotient);

// Of the least number itself, as the instruction has it; its negative is undefined to clang.
#define WARPGRADE_ABS(name, type, ptx, letter)                   \
  WARPGRADE_DEVICE type name(type x) {                           \
    type result;                                                 \
    asm("abs." ptx " %0, %1;" : "=" letter(result) : letter(x)); \
    return result;                                               \
  }
WARPGRADE_ABS(abs, int, "s32", "r")
WARPGRADE_ABS(abs, long, "s64", "l")
WARPGRADE_ABS(abs, long long, "s64", "l")
WARPGRADE_ABS(labs, long, "s64", "l")
WARPGRADE_ABS(llabs, long long, "s64", "l")
#undef WARPGRADE_ABS
WARPGRADE_DEVICE float abs(float x) {
  return __builtin_fabsf(x);
}
WARPGRADE_DEVICE double abs(double x) {
  return __builtin_fabs(x);
}
// <cmath> declares functions of the same signatures in std; where one of ours is there before, the
// library's is for the host alone.
namespace std {
#define WARPGRADE_MATH_STD_1(name, ...) \
  using ::name;                         \
  using ::name##f;
#define WARPGRADE_MATH_STD_2(name, ...) \
  using ::name;                         \
  using ::name##f;
#define WARPGRADE_MATH_1(name, ...)
#define WARPGRADE_MATH_2(name, ...)
#define WARPGRADE_MATH_3(name, ...)
#define WARPGRADE_MATH_4(name, ...)
#define WARPGRADE_MATH_INT(name, ...) \
  using ::name;                       \
  using ::name##f;
#define WARPGRADE_MATH_OF_INT(name, ...)
#define WARPGRADE_MATH_INT_OF(name, ...)
#include "math_names.h"
#undef WARPGRADE_MATH_STD_1
#undef WARPGRADE_MATH_STD_2
#undef WARPGRADE_MATH_1
#undef WARPGRADE_MATH_2
#undef WARPGRADE_MATH_3
#undef WARPGRADE_MATH_4
#undef WARPGRADE_MATH_INT
#undef WARPGRADE_MATH_OF_INT
#undef WARPGRADE_MATH_INT_OF
using ::abs;
using ::ceil;
using ::ceilf;
using ::copysign;
using ::copysignf;
using ::fabs;
using ::fabsf;
using ::fdim;
using ::fdimf;
using ::floor;
using ::floorf;
using ::fma;
using ::fmaf;
using ::fmax;
using ::fmaxf;
using ::fmin;
using ::fminf;
using ::frexp;
using ::frexpf;
using ::labs;
using ::ldexp;
using ::ldexpf;
using ::llabs;
using ::llrint;
using ::llrintf;
using ::llround;
using ::llroundf;
using ::lrint;
using ::lrintf;
using ::lround;
using ::lroundf;
using ::modf;
using ::modff;
using ::nearbyint;
using ::nearbyintf;
using ::remquo;
using ::remquof;
using ::rint;
using ::rintf;
using ::round;
using ::roundf;
using ::scalbln;
using ::scalblnf;
using ::scalbn;
using ::scalbnf;
using ::sqrt;
using ::sqrtf;
using ::trunc;
using ::truncf;
}  // namespace std
