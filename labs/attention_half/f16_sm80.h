#pragma once

// In half precision: the product of a warp's registers, as sm80.h has it for bfloat16.
#include <cuda_fp16.h>

#include <cstdint>

#include "sm80.h"

namespace sm80 {

/// d += a * b: 16 x 8 sums of a warp, of 16 x 16 and 16 x 8 factors in half precision. Lane i has
/// the sums of rows i / 4 (d[0], d[1]) and i / 4 + 8 (d[2], d[3]), in columns 2 * (i % 4) and the
/// next one. Its factors are a[0] to a[3], the upper left, lower left, upper right and lower right
/// 8 x 8 elements of A, and the upper and the lower 8 x 8 elements of B, by columns.
__device__ __forceinline__ void multiply_add_f16(float* d, const std::uint32_t* a,
                                                 std::uint32_t upper, std::uint32_t lower) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(upper), "r"(lower));
}

/// Two floats, rounded to half precision, in one register; `low` is the first element.
__device__ __forceinline__ std::uint32_t pack(float low, float high) {
  const __half2 pair = __floats2half2_rn(low, high);
  return reinterpret_cast<const std::uint32_t&>(pair);
}

/// 2^x, in one instruction; 0 below float's normal range.
__device__ __forceinline__ float power_of_two(float x) {
  float y = 0;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

}  // namespace sm80
