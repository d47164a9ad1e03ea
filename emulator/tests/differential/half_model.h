#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

// Host arithmetic on 16-bit floats, written without CUDA's headers: values become double exactly,
// results are rounded once.

namespace differential {

/// A binary format of 16 bits: 1 sign, 15 - Mantissa exponent, Mantissa fraction bits.
template <int Mantissa>
struct Format16 {
  static constexpr int kExponentBits = 15 - Mantissa;
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  static constexpr std::uint16_t kInfinity = std::uint16_t(0x7fff >> Mantissa << Mantissa);

  static double to_double(std::uint16_t bits) {
    const int exponent = (bits & 0x7fff) >> Mantissa;
    const int fraction = bits & ((1 << Mantissa) - 1);
    const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
    if (exponent == (1 << kExponentBits) - 1) return fraction != 0 ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * std::ldexp(fraction, 1 - kBias - Mantissa);
    return sign * std::ldexp(fraction + (1 << Mantissa), exponent - kBias - Mantissa);
  }

  /// Round to nearest, ties to even. `value` must be exact or rounded to odd (see add_to_odd).
  static std::uint16_t from_double(double value) {
    if (std::isnan(value)) return 0x7fff;
    const auto sign = std::uint16_t(std::signbit(value) ? 0x8000 : 0);
    const double magnitude = std::fabs(value);
    if (std::isinf(magnitude)) return std::uint16_t(sign | kInfinity);
    int exponent = 0;
    std::frexp(magnitude, &exponent);  // magnitude in [2^(exponent - 1), 2^exponent)
    const int unit = (exponent - 1 < 1 - kBias ? 1 - kBias : exponent - 1) - Mantissa;
    const double scaled = std::ldexp(magnitude, -unit);
    const double whole = std::nearbyint(scaled);
    const double rounded = std::ldexp(whole, unit);
    if (rounded == 0) return sign;
    if (rounded >= std::ldexp(1.0, kBias + 1)) return std::uint16_t(sign | kInfinity);
    std::frexp(rounded, &exponent);
    if (exponent - 1 < 1 - kBias) return std::uint16_t(sign | std::uint16_t(whole));
    const double fraction = std::ldexp(rounded, Mantissa - (exponent - 1));
    const int biased = exponent - 1 + kBias;
    return std::uint16_t(sign | biased << Mantissa |
                         (std::uint16_t(fraction) & ((1 << Mantissa) - 1)));
  }
};

/// a + b in double, rounded to odd: rounding the result again to fewer bits is then the same as
/// rounding the exact sum once.
inline double add_to_odd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const double part = sum - a;
  const double error = (a - (sum - part)) + (b - part);
  std::uint64_t bits;
  std::memcpy(&bits, &sum, 8);
  if (error == 0 || (bits & 1) != 0) return sum;
  // The exact sum lies between two doubles: take the one of them that is odd.
  return std::nextafter(sum, error > 0 ? INFINITY : -INFINITY);
}

/// The smaller number; a NaN loses against a number, and -0 is below +0 (PTX says so, C does not).
template <class T>
T minimum(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
  if (a == 0 && b == 0) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

/// The larger number, likewise.
template <class T>
T maximum(T a, T b) {
  return -minimum(-a, -b);
}

/// a * b + c with one rounding (products of 16-bit floats are exact in double).
inline double fma_to_odd(double a, double b, double c) {
  return add_to_odd(a * b, c);
}

}  // namespace differential
