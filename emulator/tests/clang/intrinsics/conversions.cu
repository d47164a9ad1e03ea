#include "cases.h"

// Conversions between floating-point numbers and integers, beyond their ranges as well.

ROUNDED(OF_1, __float2int, f32)
ROUNDED(OF_1, __float2uint, f32)
ROUNDED(OF_1, __float2ll, f32)
ROUNDED(OF_1, __float2ull, f32)
ROUNDED(OF_1, __double2int, f64)
ROUNDED(OF_1, __double2uint, f64)
ROUNDED(OF_1, __double2ll, f64)
ROUNDED(OF_1, __double2ull, f64)
ROUNDED(OF_1, __double2float, f64)
ROUNDED(OF_1, __int2float, i32)
ROUNDED(OF_1, __uint2float, u32)
ROUNDED(OF_1, __ll2float, i64)
ROUNDED(OF_1, __ull2float, u64)
ROUNDED(OF_1, __ll2double, i64)
ROUNDED(OF_1, __ull2double, u64)
OF_1(__int2double_rn, i32)
OF_1(__uint2double_rn, u32)
OF_1(__float_as_int, f32)
OF_1(__float_as_uint, f32)
OF_1(__int_as_float, i32)
OF_1(__uint_as_float, u32)
OF_1(__double_as_longlong, f64)
OF_1(__longlong_as_double, i64)
OF_1(__double2hiint, f64)
OF_1(__double2loint, f64)
OF_2(__hiloint2double, i32, i32)
OF_1(lrintf, f32)
OF_1(llrintf, f32)
OF_1(lrint, f64)
OF_1(llrint, f64)
OF_1(lroundf, f32)
OF_1(llroundf, f32)
OF_1(lround, f64)
OF_1(llround, f64)

int main() {
  return run_cases();
}
