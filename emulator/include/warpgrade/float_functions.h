#pragma once

// Arithmetic with a given rounding mode, the fast approximations, and conversions (CUDA Math API,
// "Single Precision Intrinsics", "Double Precision Intrinsics", "Type Casting Intrinsics"). None of
// them is contracted to a fused multiply-add.

#define WARPGRADE_ROUNDED(suffix, mode)                                  \
  WARPGRADE_DEVICE float __fadd_##suffix(float x, float y) {             \
    return __nvvm_add_##mode##_f(x, y);                                  \
  }                                                                      \
  WARPGRADE_DEVICE float __fsub_##suffix(float x, float y) {             \
    return __nvvm_add_##mode##_f(x, -y);                                 \
  }                                                                      \
  WARPGRADE_DEVICE float __fmul_##suffix(float x, float y) {             \
    return __nvvm_mul_##mode##_f(x, y);                                  \
  }                                                                      \
  WARPGRADE_DEVICE float __fdiv_##suffix(float x, float y) {             \
    return __nvvm_div_##mode##_f(x, y);                                  \
  }                                                                      \
  WARPGRADE_DEVICE float __fmaf_##suffix(float x, float y, float z) {    \
    return __nvvm_fma_##mode##_f(x, y, z);                               \
  }                                                                      \
  WARPGRADE_DEVICE float __frcp_##suffix(float x) {                      \
    return __nvvm_rcp_##mode##_f(x);                                     \
  }                                                                      \
  WARPGRADE_DEVICE float __fsqrt_##suffix(float x) {                     \
    return __nvvm_sqrt_##mode##_f(x);                                    \
  }                                                                      \
  WARPGRADE_DEVICE double __dadd_##suffix(double x, double y) {          \
    return __nvvm_add_##mode##_d(x, y);                                  \
  }                                                                      \
  WARPGRADE_DEVICE double __dsub_##suffix(double x, double y) {          \
    return __nvvm_add_##mode##_d(x, -y);                                 \
  }                                                                      \
  WARPGRADE_DEVICE double __dmul_##suffix(double x, double y) {          \
    return __nvvm_mul_##mode##_d(x, y);                                  \
  }                                                                      \
  WARPGRADE_DEVICE double __ddiv_##suffix(double x, double y) {          \
    return __nvvm_div_##mode##_d(x, y);                                  \
  }                                                                      \
  WARPGRADE_DEVICE double __fma_##suffix(double x, double y, double z) { \
    return __nvvm_fma_##mode##_d(x, y, z);                               \
  }                                                                      \
  WARPGRADE_DEVICE double __drcp_##suffix(double x) {                    \
    return __nvvm_rcp_##mode##_d(x);                                     \
  }                                                                      \
  WARPGRADE_DEVICE double __dsqrt_##suffix(double x) {                   \
    return __nvvm_sqrt_##mode##_d(x);                                    \
  }                                                                      \
  WARPGRADE_DEVICE int __float2int_##suffix(float x) {                   \
    return __nvvm_f2i_##mode(x);                                         \
  }                                                                      \
  WARPGRADE_DEVICE unsigned __float2uint_##suffix(float x) {             \
    return __nvvm_f2ui_##mode(x);                                        \
  }                                                                      \
  WARPGRADE_DEVICE long long __float2ll_##suffix(float x) {              \
    return __nvvm_f2ll_##mode(x);                                        \
  }                                                                      \
  WARPGRADE_DEVICE unsigned long long __float2ull_##suffix(float x) {    \
    return __nvvm_f2ull_##mode(x);                                       \
  }                                                                      \
  WARPGRADE_DEVICE int __double2int_##suffix(double x) {                 \
    return __nvvm_d2i_##mode(x);                                         \
  }                                                                      \
  WARPGRADE_DEVICE unsigned __double2uint_##suffix(double x) {           \
    return __nvvm_d2ui_##mode(x);                                        \
  }                                                                      \
  WARPGRADE_DEVICE long long __double2ll_##suffix(double x) {            \
    return __nvvm_d2ll_##mode(x);                                        \
  }                                                                      \
  WARPGRADE_DEVICE unsigned long long __double2ull_##suffix(double x) {  \
    return __nvvm_d2ull_##mode(x);                                       \
  }                                                                      \
  WARPGRADE_DEVICE float __double2float_##suffix(double x) {             \
    return __nvvm_d2f_##mode(x);                                         \
  }
WARPGRADE_ROUNDED(rn, rn)
WARPGRADE_ROUNDED(rz, rz)
WARPGRADE_ROUNDED(rd, rm)
WARPGRADE_ROUNDED(ru, rp)
#undef WARPGRADE_ROUNDED

// In assembly, because clang 14 ignores the rounding of its built-in functions for these.
#define WARPGRADE_FROM_INTEGER(name, to, to_letter, from, from_letter, suffix, conversion) \
  WARPGRADE_DEVICE to name##suffix(from x) {                                               \
    to result;                                                                             \
    asm("cvt." conversion " %0, %1;" : "=" to_letter(result) : from_letter(x));            \
    return result;                                                                         \
  }
#define WARPGRADE_FROM_INTEGERS(suffix, mode)                                               \
  WARPGRADE_FROM_INTEGER(__int2float, float, "f", int, "r", suffix, mode ".f32.s32")        \
  WARPGRADE_FROM_INTEGER(__uint2float, float, "f", unsigned, "r", suffix, mode ".f32.u32")  \
  WARPGRADE_FROM_INTEGER(__ll2float, float, "f", long long, "l", suffix, mode ".f32.s64")   \
  WARPGRADE_FROM_INTEGER(__ull2float, float, "f", unsigned long long, "l", suffix,          \
                         mode ".f32.u64")                                                   \
  WARPGRADE_FROM_INTEGER(__ll2double, double, "d", long long, "l", suffix, mode ".f64.s64") \
  WARPGRADE_FROM_INTEGER(__ull2double, double, "d", unsigned long long, "l", suffix,        \
                         mode ".f64.u64")
WARPGRADE_FROM_INTEGERS(_rn, "rn")
WARPGRADE_FROM_INTEGERS(_rz, "rz")
WARPGRADE_FROM_INTEGERS(_rd, "rm")
WARPGRADE_FROM_INTEGERS(_ru, "rp")
#undef WARPGRADE_FROM_INTEGERS
#undef WARPGRADE_FROM_INTEGER
WARPGRADE_DEVICE double __int2double_rn(int x) {
  return x;
}
WARPGRADE_DEVICE double __uint2double_rn(unsigned x) {
  return x;
}

// Within the errors that the Programming Guide's table of intrinsic functions gives.
WARPGRADE_DEVICE float __fdividef(float x, float y) {
  return __nvvm_div_approx_f(x, y);
}
WARPGRADE_DEVICE float __frsqrt_rn(float x) {
  return __nvvm_rsqrt_approx_f(x);
}
WARPGRADE_DEVICE float __saturatef(float x) {
  return __nvvm_saturate_f(x);
}
WARPGRADE_DEVICE float __sinf(float x) {
  return __nvvm_sin_approx_f(x);
}
WARPGRADE_DEVICE float __cosf(float x) {
  return __nvvm_cos_approx_f(x);
}
WARPGRADE_DEVICE float __tanf(float x) {
  return __fdividef(__sinf(x), __cosf(x));
}
WARPGRADE_DEVICE void __sincosf(float x, float* sine, float* cosine) {
  *sine = __sinf(x);
  *cosine = __cosf(x);
}
WARPGRADE_DEVICE float __log2f(float x) {
  return __nvvm_lg2_approx_f(x);
}
WARPGRADE_DEVICE float __logf(float x) {
  return __nvvm_mul_rn_f(__nvvm_lg2_approx_f(x), 0.693147181f);
}
WARPGRADE_DEVICE float __log10f(float x) {
  return __nvvm_mul_rn_f(__nvvm_lg2_approx_f(x), 0.301029996f);
}
WARPGRADE_DEVICE float __expf(float x) {
  return __nvvm_ex2_approx_f(__nvvm_mul_rn_f(x, 1.44269504f));
}
WARPGRADE_DEVICE float __exp10f(float x) {
  return __nvvm_ex2_approx_f(__nvvm_mul_rn_f(x, 3.32192809f));
}
WARPGRADE_DEVICE float __powf(float x, float y) {
  return __nvvm_ex2_approx_f(__nvvm_mul_rn_f(y, __nvvm_lg2_approx_f(x)));
}
WARPGRADE_DEVICE float __tanhf(float x) {
  float result;
  asm("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

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
