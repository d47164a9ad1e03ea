#pragma once

// Exact references for floating-point tests that share nothing with the handlers: values as
// unevaluated pairs of a wider type, rounded by searching the patterns of a format.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace warpsim {

#if __LDBL_MANT_DIG__ == 113  // 64-bit Arm
using float128 = long double;
#else
__extension__ using float128 = __float128;
#endif

/// An exact number hi + lo, where |lo| is at most half a unit of hi's last place.
template <class Wide>
struct Exact {
  Wide hi = 0;
  Wide lo = 0;
};

/// a + b (Knuth's two-sum).
template <class Wide>
Exact<Wide> exact_sum(Wide a, Wide b) {
  const Wide sum = a + b;
  const Wide b_part = sum - a;
  const Wide a_part = sum - b_part;
  return {sum, (a - a_part) + (b - b_part)};
}

/// -1, 0 or 1 as `value` is below, equal to or above `exact`.
template <class Wide>
int compare(Wide value, const Exact<Wide>& exact) {
  if (value != exact.hi) return value < exact.hi ? -1 : 1;
  return exact.lo == 0 ? 0 : exact.lo > 0 ? -1 : 1;
}

/// A 16-bit format as the tests see it.
struct HalfFormat {
  int exponent_bits;
  int mantissa_bits;
  [[nodiscard]] std::uint16_t infinity() const {
    return static_cast<std::uint16_t>(((1 << exponent_bits) - 1) << mantissa_bits);
  }
};
constexpr HalfFormat kHalf = {5, 10};
constexpr HalfFormat kBfloat = {8, 7};

/// The value of a pattern; infinity counts as the next power of two, which is what decides whether
/// a number rounds to it.
inline double value_of_pattern(std::uint16_t bits, const HalfFormat& format) {
  const int size = bits & 0x7fff;
  const int field = size >> format.mantissa_bits;
  const int mantissa = size & ((1 << format.mantissa_bits) - 1);
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const int significand = field > 0 ? mantissa | 1 << format.mantissa_bits : mantissa;
  const double value =
      std::ldexp(significand, (field > 0 ? field : 1) - bias - format.mantissa_bits);
  return bits & 0x8000 ? -value : value;
}

/// The pattern nearest to an exact number that is not zero, ties to even.
inline std::uint16_t nearest_pattern(Exact<double> exact, const HalfFormat& format) {
  const bool negative = exact.hi < 0;
  if (negative) exact = {-exact.hi, -exact.lo};
  std::uint16_t below = 0;
  std::uint16_t above = format.infinity();
  while (above - below > 1) {
    const auto middle = static_cast<std::uint16_t>((below + above) / 2);
    (compare(value_of_pattern(middle, format), exact) <= 0 ? below : above) = middle;
  }
  const double halfway = (value_of_pattern(below, format) + value_of_pattern(above, format)) / 2;
  const int side = compare(halfway, exact);
  const bool up = side < 0 || (side == 0 && (below & 1) != 0);
  const bool overflows = compare(value_of_pattern(above, format), exact) <= 0;
  return static_cast<std::uint16_t>((up || overflows ? above : below) | (negative ? 0x8000 : 0));
}

}  // namespace warpsim
