#pragma once

// Arithmetic with a given rounding mode, the fast approximations, and conversions (CUDA Math API,
// "Single Precision Intrinsics", "Double Precision Intrinsics", "Type Casting Intrinsics").
//
// In assembly: of clang's built-in functions, it takes those that round to the nearest for the
// language's operators, which it contracts to fused multiply-adds, and those that convert towards
// zero for casts, which are undefined for a constant beyond the range; of some it ignores the
// rounding (clang 14). Without `volatile`: it may move, merge and remove them.

#define WARPGRADE_FUNCTION_1(name, to, to_letter, from, letter, instruction) \
  WARPGRADE_DEVICE to name(from x) {                                         \
    to result;                                                               \
    asm(instruction " %0, %1;" : "=" to_letter(result) : letter(x));         \
    return result;                                                           \
  }
#define WARPGRADE_FUNCTION_2(name, type, letter, instruction)                    \
  WARPGRADE_DEVICE type name(type x, type y) {                                   \
    type result;                                                                 \
    asm(instruction " %0, %1, %2;" : "=" letter(result) : letter(x), letter(y)); \
    return result;                                                               \
  }
#define WARPGRADE_FUNCTION_3(name, type, letter, instruction)                                   \
  WARPGRADE_DEVICE type name(type x, type y, type z) {                                          \
    type result;                                                                                \
    asm(instruction " %0, %1, %2, %3;" : "=" letter(result) : letter(x), letter(y), letter(z)); \
    return result;                                                                              \
  }

// `mode` is that of results which are floating-point numbers, mode "i" of those which are whole.
#define WARPGRADE_ROUNDED_TYPE(f, d, suffix, mode, type, letter, ptx)                        \
  WARPGRADE_FUNCTION_2(__##f##add_##suffix, type, letter, "add." mode "." ptx)               \
  WARPGRADE_FUNCTION_2(__##f##sub_##suffix, type, letter, "sub." mode "." ptx)               \
  WARPGRADE_FUNCTION_2(__##f##mul_##suffix, type, letter, "mul." mode "." ptx)               \
  WARPGRADE_FUNCTION_2(__##f##div_##suffix, type, letter, "div." mode "." ptx)               \
  WARPGRADE_FUNCTION_3(__fma##d##_##suffix, type, letter, "fma." mode "." ptx)               \
  WARPGRADE_FUNCTION_1(__##f##rcp_##suffix, type, letter, type, letter, "rcp." mode "." ptx) \
  WARPGRADE_FUNCTION_1(__##f##sqrt_##suffix, type, letter, type, letter, "sqrt." mode "." ptx)
#define WARPGRADE_TO_INTEGER(from, suffix, mode, type, letter, ptx)                               \
  WARPGRADE_FUNCTION_1(__##from##2int_##suffix, int, "r", type, letter, "cvt." mode "i.s32." ptx) \
  WARPGRADE_FUNCTION_1(__##from##2uint_##suffix, unsigned, "r", type, letter,                     \
                       "cvt." mode "i.u32." ptx)                                                  \
  WARPGRADE_FUNCTION_1(__##from##2ll_##suffix, long long, "l", type, letter,                      \
                       "cvt." mode "i.s64." ptx)                                                  \
  WARPGRADE_FUNCTION_1(__##from##2ull_##suffix, unsigned long long, "l", type, letter,            \
                       "cvt." mode "i.u64." ptx)
#define WARPGRADE_ROUNDED(suffix, mode)                                                           \
  WARPGRADE_ROUNDED_TYPE(f, f, suffix, mode, float, "f", "f32")                                   \
  WARPGRADE_ROUNDED_TYPE(d, , suffix, mode, double, "d", "f64")                                   \
  WARPGRADE_TO_INTEGER(float, suffix, mode, float, "f", "f32")                                    \
  WARPGRADE_TO_INTEGER(double, suffix, mode, double, "d", "f64")                                  \
  WARPGRADE_FUNCTION_1(__double2float_##suffix, float, "f", double, "d", "cvt." mode ".f32.f64")  \
  WARPGRADE_FUNCTION_1(__int2float_##suffix, float, "f", int, "r", "cvt." mode ".f32.s32")        \
  WARPGRADE_FUNCTION_1(__uint2float_##suffix, float, "f", unsigned, "r", "cvt." mode ".f32.u32")  \
  WARPGRADE_FUNCTION_1(__ll2float_##suffix, float, "f", long long, "l", "cvt." mode ".f32.s64")   \
  WARPGRADE_FUNCTION_1(__ull2float_##suffix, float, "f", unsigned long long, "l",                 \
                       "cvt." mode ".f32.u64")                                                    \
  WARPGRADE_FUNCTION_1(__ll2double_##suffix, double, "d", long long, "l", "cvt." mode ".f64.s64") \
  WARPGRADE_FUNCTION_1(__ull2double_##suffix, double, "d", unsigned long long, "l",               \
                       "cvt." mode ".f64.u64")
WARPGRADE_ROUNDED(rn, "rn")
WARPGRADE_ROUNDED(rz, "rz")
WARPGRADE_ROUNDED(rd, "rm")
WARPGRADE_ROUNDED(ru, "rp")
#undef WARPGRADE_ROUNDED
#undef WARPGRADE_TO_INTEGER
#undef WARPGRADE_ROUNDED_TYPE
// These are exact.
WARPGRADE_DEVICE double __int2double_rn(int x) {
  return x;
}
WARPGRADE_DEVICE double __uint2double_rn(unsigned x) {
  return x;
}

// Within the errors that the Programming Guide's table of intrinsic functions gives.
WARPGRADE_FUNCTION_2(__fdividef, float, "f", "div.approx.f32")
WARPGRADE_FUNCTION_1(__frsqrt_rn, float, "f", float, "f", "rsqrt.approx.f32")
WARPGRADE_FUNCTION_1(__saturatef, float, "f", float, "f", "cvt.sat.f32.f32")
WARPGRADE_FUNCTION_1(__sinf, float, "f", float, "f", "sin.approx.f32")
WARPGRADE_FUNCTION_1(__cosf, float, "f", float, "f", "cos.approx.f32")
WARPGRADE_FUNCTION_1(__log2f, float, "f", float, "f", "lg2.approx.f32")
WARPGRADE_FUNCTION_1(__tanhf, float, "f", float, "f", "tanh.approx.f32")
namespace warpgrade_cuda {
WARPGRADE_FUNCTION_1(power_of_two, float, "f", float, "f", "ex2.approx.f32")
}
WARPGRADE_DEVICE float __tanf(float x) {
  return __fdividef(__sinf(x), __cosf(x));
}
WARPGRADE_DEVICE void __sincosf(float x, float* sine, float* cosine) {
  *sine = __sinf(x);
  *cosine = __cosf(x);
}
WARPGRADE_DEVICE float __logf(float x) {
  return __fmul_rn(__log2f(x), 0.693147181f);
}
WARPGRADE_DEVICE float __log10f(float x) {
  return __fmul_rn(__log2f(x), 0.301029996f);
}
WARPGRADE_DEVICE float __expf(float x) {
  return warpgrade_cuda::power_of_two(__fmul_rn(x, 1.44269504f));
}
WARPGRADE_DEVICE float __exp10f(float x) {
  return warpgrade_cuda::power_of_two(__fmul_rn(x, 3.32192809f));
}
WARPGRADE_DEVICE float __powf(float x, float y) {
  return warpgrade_cuda::power_of_two(__fmul_rn(y, __log2f(x)));
}
#undef WARPGRADE_FUNCTION_1
#undef WARPGRADE_FUNCTION_2
#undef WARPGRADE_FUNCTION_3

WARPGRADE_DEVICE int __float_as_int(float x) {
  return __builtin_bit_cast(int, x);
}
WARPGRADE_DEVICE unsigned __float_as_uint(float x) {
  return __builtin_bit_cast(unsigned, x);
}
WARPGRADE_DEVICE float __int_as_float(int x) {
  return __builtin_bit_cast(float, x);
}
WARPGRADE_DEVICE float __uint_as_float(unsigned x) {
  return __builtin_bit_cast(float, x);
}
WARPGRADE_DEVICE long long __double_as_longlong(double x) {
  return __builtin_bit_cast(long long, x);
}
WARPGRADE_DEVICE double __longlong_as_double(long long x) {
  return __builtin_bit_cast(double, x);
}
WARPGRADE_DEVICE int __double2hiint(double x) {
  return (int)(__double_as_longlong(x) >> 32);
}
WARPGRADE_DEVICE int __double2loint(double x) {
  return (int)__double_as_longlong(x);
}
WARPGRADE_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double(
      (long long)(((unsigned long long)(unsigned)high << 32) | (unsigned)low));
}
