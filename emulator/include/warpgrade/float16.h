#pragma once

#include "../host_defines.h"

// Conversions of 16-bit floating-point formats in host code, where there are no instructions for
// them: 1 sign bit, 15 - Mantissa bits of exponent, Mantissa bits of fraction.

namespace warpgrade_cuda {

enum class Rounding { nearest, zero, down, up };

template <int Mantissa>
static __host__ __device__ inline unsigned short narrow_16(double value, Rounding mode) {
  const int bias = (1 << (14 - Mantissa)) - 1;
  const int infinity = 0x7fff >> Mantissa << Mantissa;
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
  const bool negative = bits >> 63 != 0;
  const int sign = negative ? 0x8000 : 0;
  const unsigned long long fraction = bits & 0xfffffffffffffull;
  const int field = (int)(bits >> 52) & 0x7ff;
  if (field == 0x7ff) return (unsigned short)(fraction != 0 ? 0x7fff : sign | infinity);
  if (field == 0 && fraction == 0) return (unsigned short)sign;
  const int exponent = field == 0 ? -1022 : field - 1023;
  const unsigned long long significand = fraction | (field == 0 ? 0 : 1ull << 52);
  const bool subnormal = exponent < 1 - bias;
  int shift = 52 - Mantissa + (subnormal ? 1 - bias - exponent : 0);
  if (shift > 54) shift = 54;  // below half of the least number in any case
  unsigned long long whole = significand >> shift;
  const unsigned long long rest = significand & ((1ull << shift) - 1);
  const unsigned long long middle = 1ull << (shift - 1);
  const bool away = mode == Rounding::nearest ? rest > middle || (rest == middle && whole % 2 != 0)
                    : mode == Rounding::zero  ? false
                                              : rest != 0 && negative == (mode == Rounding::down);
  if (away) ++whole;
  const int result = (int)whole + (subnormal ? 0 : (exponent + bias - 1) << Mantissa);
  if (result < infinity) return (unsigned short)(sign | result);
  const bool to_infinity = mode == Rounding::nearest || (mode == Rounding::down && negative) ||
                           (mode == Rounding::up && !negative);
  return (unsigned short)(sign | (to_infinity ? infinity : infinity - 1));
}

template <int Mantissa>
static __host__ __device__ inline float widen_16(unsigned short bits) {
  const int bias = (1 << (14 - Mantissa)) - 1;
  const unsigned sign = (unsigned)(bits & 0x8000) << 16;
  const int exponent = (bits & 0x7fff) >> Mantissa;
  const int fraction = bits & ((1 << Mantissa) - 1);
  if (exponent == (1 << (15 - Mantissa)) - 1) {
    return __builtin_bit_cast(float, fraction != 0 ? 0x7fffffffu : sign | 0x7f800000u);
  }
  const float scale = __builtin_bit_cast(
      float, (unsigned)((exponent == 0 ? 1 : exponent) - bias - Mantissa + 127) << 23);
  if constexpr (Mantissa == 7) return __builtin_bit_cast(float, (unsigned)bits << 16);
  const float magnitude = (float)(exponent == 0 ? fraction : fraction + (1 << Mantissa)) * scale;
  return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, magnitude) | sign);
}

/// `value` with 53 significant bits, the last of them set if bits were left out: what a rounding to
/// fewer bits makes of it is what it makes of `value`.
static __host__ __device__ inline double shortened(unsigned long long value) {
  if (value >> 53 == 0) return (double)value;
  return (double)(value >> 11 | ((value & 0x7ff) != 0 ? 1 : 0)) * 2048;
}
static __host__ __device__ inline double shortened(long long value) {
  return value < 0 ? -shortened(0 - (unsigned long long)value)
                   : shortened((unsigned long long)value);
}

static __host__ __device__ inline float round_whole(float x, Rounding mode) {
  return mode == Rounding::nearest ? __builtin_rintf(x)
         : mode == Rounding::zero  ? __builtin_truncf(x)
         : mode == Rounding::down  ? __builtin_floorf(x)
                                   : __builtin_ceilf(x);
}
/// As PTX converts: beyond the range its end, NaN to 0.
template <class T>
static __host__ __device__ inline T saturate(float x) {
  const T least = (T)-1 < (T)0 ? (T)((T)1 << (8 * sizeof(T) - 1)) : (T)0;
  if (x != x) return 0;
  if (x <= (float)least) return least;
  if (x >= -(float)(T)~least || x >= (float)(T)~least) return (T)~least;
  return (T)x;
}

}  // namespace warpgrade_cuda
