#pragma once

// Elementary functions for the approximate instructions: vectorisable polynomials in double,
// exact to about 1e-11, far below the instructions' error bounds. They use only additions,
// multiplications and divisions that are not fused, so every host gives the same bits.
// The coefficients are Chebyshev fits of the functions in the comments.

#include "emulator/isa/handlers/float_ops.h"

namespace warpsim::WARPSIM_SIMD {

/// Adding and subtracting this rounds to an integer, which then stands in the sum's low bits.
inline constexpr double kRoundToInteger = 0x1.8p52;

template <int kTerms>
[[gnu::always_inline]] inline double polynomial(const double (&coefficients)[kTerms], double x) {
  double sum = coefficients[kTerms - 1];
  for (int i = kTerms - 2; i >= 0; --i) sum = sum * x + coefficients[i];
  return sum;
}

/// 2^x; for |x| > 200, where no f32 result is finite and normal or not zero, 2^(+-200).
[[gnu::always_inline]] inline double exp2_of(double x) {
  static constexpr double kTerms[] = {
      // 2^x, |x| <= 1/2
      0.9999999999595618,   0.6931471805568324,    0.24022651213498092,    0.055504109063258665,
      0.009618025613318034, 0.0013333478473685416, 0.00015469729214118296, 1.5303700711365693e-05};
  const double low = x < -200.0 ? -200.0 : x;
  const double clamped = low > 200.0 ? 200.0 : low;
  const double shifted = clamped + kRoundToInteger;
  const double fraction = clamped - (shifted - kRoundToInteger);
  const u64 exponent = bits_of<F64>(shifted) << F64::kMantissaBits;
  const u64 bits = bits_of<F64>(polynomial(kTerms, fraction)) + exponent;
  return x == x ? value_of<F64>(bits) : x;
}

/// log2(x) of a positive, finite, normal x.
[[gnu::always_inline]] inline double log2_of(double x) {
  static constexpr double kTerms[] = {// log2((1 + s) / (1 - s)) / s in s * s, |s| <= 0.1716
                                      2.8853900817900136, 0.9617966734154973, 0.5770835733636933,
                                      0.41167329914115813, 0.3407211149549295};
  constexpr u64 kSqrtHalf = 0x3fe6a09e667f3bcd;
  constexpr u64 kOffset = 1024;  // keeps the exponent positive for the shift and the conversion
  const u64 bits = bits_of<F64>(x);
  const u64 exponent = (bits - kSqrtHalf + (kOffset << F64::kMantissaBits)) >> F64::kMantissaBits;
  const double m = value_of<F64>(bits - ((exponent - kOffset) << F64::kMantissaBits));
  constexpr double kTwoTo52 = 0x1p52;
  const double n = value_of<F64>(bits_of<F64>(kTwoTo52) | exponent) - (kTwoTo52 + kOffset);
  const double s = (m - 1.0) / (m + 1.0);
  return n + s * polynomial(kTerms, s * s);
}

/// sin(2 pi (turns + quarters / 4)); NaN for infinities.
[[gnu::always_inline]] inline double sin_of_turns(double turns, u64 quarters) {
  static constexpr double kSin[] = {// sin(2 pi r) / r in r * r, |r| <= 1/8
                                    6.2831853071524, -41.341702153394905, 81.60520471104576,
                                    -76.6978663502028, 41.47283323950919};
  static constexpr double kCos[] = {// cos(2 pi r) in r * r, |r| <= 1/8
                                    0.9999999999524894, -19.739208650130596, 64.93931613570905,
                                    -85.44284467308167, 59.2201689582961};
  // From 2^23 on every f32 is a whole number of turns.
  const double size = turns < 0 ? -turns : turns;
  const double part = size < 0x1p23 ? turns : turns - turns;
  const double shifted = part * 4.0 + kRoundToInteger;
  const double r = part - (shifted - kRoundToInteger) * 0.25;
  const u64 quadrant = bits_of<F64>(shifted) + quarters;
  const double sine = r * polynomial(kSin, r * r);
  const double cosine = polynomial(kCos, r * r);
  const double value = quadrant & 1 ? cosine : sine;
  return quadrant & 2 ? -value : value;
}

/// tanh(x)
[[gnu::always_inline]] inline double tanh_of(double x) {
  static constexpr double kTerms[] = {// tanh(x) / x in x * x, |x| <= 1/4
                                      0.9999999999844947, -0.33333332092286955, 0.13333174056855812,
                                      -0.053896477917581814, 0.02053972632734929};
  constexpr double kTwoLog2E = 2.8853900817779268;
  const double size = x < 0 ? -x : x;
  const double small = x * polynomial(kTerms, x * x);
  const double large = 1.0 - 2.0 / (exp2_of(size * kTwoLog2E) + 1.0);
  return size < 0.25 ? small : x < 0 ? -large : large;
}

}  // namespace warpsim::WARPSIM_SIMD
