#include "cases.h"

// Arithmetic of floats and doubles, and what must not, or must, become a fused multiply-add.

ROUNDED(OF_2, __fadd, f32, f32)
ROUNDED(OF_2, __fsub, f32, f32)
ROUNDED(OF_2, __fmul, f32, f32)
ROUNDED(OF_2, __fdiv, f32, f32)
ROUNDED(OF_3, __fmaf, f32, f32, f32)
ROUNDED(OF_1, __frcp, f32)
ROUNDED(OF_1, __fsqrt, f32)
ROUNDED(OF_2, __dadd, f64, f64)
ROUNDED(OF_2, __dsub, f64, f64)
ROUNDED(OF_2, __dmul, f64, f64)
ROUNDED(OF_2, __ddiv, f64, f64)
ROUNDED(OF_3, __fma, f64, f64, f64)
ROUNDED(OF_1, __drcp, f64)
ROUNDED(OF_1, __dsqrt, f64)

CASE_2(product_difference, "__fmul_rn - __fmul_rn", f32, f32, __fmul_rn(a, b) - __fmul_rn(b, a))
CASE_3(product_sum, "__fmul_rn + c", f32, f32, f32, __fmul_rn(a, b) + c)
CASE_3(product_sum_rn, "__fadd_rn of *", f32, f32, f32, __fadd_rn(a* b, c))
CASE_3(product_minus, "c - __fmul_rn", f32, f32, f32, c - __fmul_rn(a, b))
CASE_3(product_difference_rn, "__fsub_rn of *", f32, f32, f32, __fsub_rn(a* b, c))
CASE_3(both_rn, "__fadd_rn of __fmul_rn", f32, f32, f32, __fadd_rn(__fmul_rn(a, b), c))
CASE_2(product_difference_64, "__dmul_rn - __dmul_rn", f64, f64, __dmul_rn(a, b) - __dmul_rn(b, a))
CASE_3(product_sum_64, "__dmul_rn + c", f64, f64, f64, __dmul_rn(a, b) + c)
CASE_3(product_sum_rn_64, "__dadd_rn of *", f64, f64, f64, __dadd_rn(a* b, c))
CASE_3(both_rn_64, "__dadd_rn of __dmul_rn", f64, f64, f64, __dadd_rn(__dmul_rn(a, b), c))
// These are contracted, by nvcc as well. Of constants alone clang evaluates them, each operation
// rounded.
FROM_MEMORY_3(contracted, "a * b + c", f32, f32, f32, a* b + c)
FROM_MEMORY_3(contracted_64, "a * b + c", f64, f64, f64, a* b + c)
OF_3(fmaf, f32, f32, f32)
OF_3(fma, f64, f64, f64)

OF_2(fmaxf, f32, f32)
OF_2(fminf, f32, f32)
OF_2(fmax, f64, f64)
OF_2(fmin, f64, f64)
OF_2(max, f32, f32)
OF_2(min, f32, f32)
OF_2(max, f64, f64)
OF_2(min, f64, f64)
OF_2(max, f32, f64)
OF_2(min, f64, f32)
OF_2(fdimf, f32, f32)
OF_2(fdim, f64, f64)
OF_2(copysignf, f32, f32)
OF_2(copysign, f64, f64)
OF_1(sqrtf, f32)
OF_1(sqrt, f64)
OF_1(fabsf, f32)
OF_1(fabs, f64)
OF_1(ceilf, f32)
OF_1(ceil, f64)
OF_1(floorf, f32)
OF_1(floor, f64)
OF_1(truncf, f32)
OF_1(trunc, f64)
OF_1(rintf, f32)
OF_1(rint, f64)
OF_1(nearbyintf, f32)
OF_1(nearbyint, f64)
OF_1(roundf, f32)
OF_1(round, f64)
CASE_1(isnan_32, "isnan", f32, (int)(bool)isnan(a))
CASE_1(isnan_64, "isnan", f64, (int)(bool)isnan(a))
CASE_1(isinf_32, "isinf", f32, (int)(bool)isinf(a))
CASE_1(isinf_64, "isinf", f64, (int)(bool)isinf(a))
CASE_1(isfinite_32, "isfinite", f32, (int)(bool)isfinite(a))
CASE_1(isfinite_64, "isfinite", f64, (int)(bool)isfinite(a))
CASE_1(signbit_32, "signbit", f32, (int)(bool)signbit(a))
CASE_1(signbit_64, "signbit", f64, (int)(bool)signbit(a))

// The fast ones.
OF_2(__fdividef, f32, f32)
OF_2(__powf, f32, f32)
OF_1(__frsqrt_rn, f32)
OF_1(rsqrtf, f32)
OF_1(__saturatef, f32)
OF_1(__sinf, f32)
OF_1(__cosf, f32)
OF_1(__tanf, f32)
OF_1(__tanhf, f32)
OF_1(__log2f, f32)
OF_1(__logf, f32)
OF_1(__log10f, f32)
OF_1(__expf, f32)
OF_1(__exp10f, f32)
CASE_1(sine, "__sincosf sine", f32, ([=] {
         float s, c;
         __sincosf(a, &s, &c);
         return s;
       })())
CASE_1(cosine, "__sincosf cosine", f32, ([=] {
         float s, c;
         __sincosf(a, &s, &c);
         return c;
       })())

int main() {
  return run_cases();
}
