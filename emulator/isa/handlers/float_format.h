#pragma once

// Binary floating-point formats and exact conversion between them, on bit patterns: one rounding,
// any rounding mode, no dependence on the host's floating-point environment.

#include <type_traits>

#include "emulator/isa/handlers/bind.h"

namespace warpsim::WARPSIM_SIMD {

enum class Rounding : u8 { nearest_even, zero, down, up, nearest_away };

/// A format with `kExponentBits` exponent and `kMantissaBits` stored mantissa bits in a `BitsT`.
/// `kNan` is the pattern that instructions return for a NaN; on f64, when no operand is one.
template <class BitsT, int kExponentBitsT, int kMantissaBitsT, BitsT kNanT>
struct Format {
  using Bits = BitsT;
  static constexpr int kMantissaBits = kMantissaBitsT;
  static constexpr int kBias = (1 << (kExponentBitsT - 1)) - 1;
  static constexpr Bits kNan = kNanT;
  static constexpr Bits kSign = static_cast<Bits>(Bits{1} << (kExponentBitsT + kMantissaBits));
  static constexpr Bits kMagnitude = static_cast<Bits>(kSign - 1);
  static constexpr Bits kMantissa = static_cast<Bits>((Bits{1} << kMantissaBits) - 1);
  static constexpr Bits kInfinity = static_cast<Bits>(kMagnitude & ~kMantissa);
  static constexpr Bits kLargest = static_cast<Bits>(kInfinity - 1);
  static constexpr Bits kSmallestNormal = static_cast<Bits>(Bits{1} << kMantissaBits);
  static constexpr Bits kQuiet = static_cast<Bits>(Bits{1} << (kMantissaBits - 1));
  static constexpr Bits kOne = static_cast<Bits>(Bits{static_cast<Bits>(kBias)} << kMantissaBits);
};

struct F64 : Format<u64, 11, 52, 0xfff8000000000000> {
  using Value = double;
};
struct F32 : Format<u32, 8, 23, 0x7fffffff> {
  using Value = float;
};
struct F16 : Format<u16, 5, 10, 0x7fff> {};
struct BF16 : Format<u16, 8, 7, 0x7fff> {};
/// TF32 as 19 bits; in registers it stands in the upper bits of an f32.
struct TF32 : Format<u32, 8, 10, 0x3ffff> {
  static constexpr int kRegisterShift = 13;
};
struct E5M2 : Format<u8, 5, 2, 0x7f> {};
/// Has no infinities: the patterns of the largest exponent are numbers, but for the last, a NaN.
struct E4M3 : Format<u8, 4, 3, 0x7f> {
  static constexpr u8 kLargest = 0x7e;
};

template <class F>
[[gnu::always_inline]] inline typename F::Bits bits_of(typename F::Value value) {
  return __builtin_bit_cast(typename F::Bits, value);
}
template <class F>
[[gnu::always_inline]] inline typename F::Value value_of(typename F::Bits bits) {
  return __builtin_bit_cast(typename F::Value, bits);
}

template <class F>
[[gnu::always_inline]] inline typename F::Bits magnitude(typename F::Bits bits) {
  return static_cast<typename F::Bits>(bits & F::kMagnitude);
}

template <class F>
[[gnu::always_inline]] inline bool is_nan(typename F::Bits bits) {
  return magnitude<F>(bits) > F::kInfinity;
}

/// What instructions return for an operand `nan`: on f64 itself, made quiet, else always kNan.
template <class F>
[[gnu::always_inline]] inline typename F::Bits returned_nan(typename F::Bits nan) {
  return std::is_same_v<F, F64> ? nan | F::kQuiet : F::kNan;
}

/// `bits`, but a NaN becomes the one that instructions return for it.
template <class F>
[[gnu::always_inline]] inline typename F::Bits canonical(typename F::Bits bits) {
  return is_nan<F>(bits) ? returned_nan<F>(bits) : bits;
}

/// The NaN that converting an f64's NaN to F gives: its sign, and of its payload what fits.
template <class F>
[[gnu::always_inline]] inline typename F::Bits narrowed_nan(u64 nan) {
  constexpr int kSignShift = 64 - static_cast<int>(8 * sizeof(typename F::Bits));
  const u64 payload = (nan & F64::kMantissa) >> (F64::kMantissaBits - F::kMantissaBits);
  const u64 sign = (nan & F64::kSign) >> kSignShift;
  return static_cast<typename F::Bits>(sign | F::kInfinity | F::kQuiet | payload);
}

/// `.ftz`: a subnormal becomes a zero of the same sign.
template <class F>
[[gnu::always_inline]] inline typename F::Bits flush(typename F::Bits bits) {
  return magnitude<F>(bits) < F::kSmallestNormal ? static_cast<typename F::Bits>(bits & F::kSign)
                                                 : bits;
}

/// Whether `.ftz` flushes the result `x`, where T holds more bits than F: whether x, rounded to F's
/// number of bits as if F had smaller exponents too, is below F's smallest normal number. Where
/// x is itself rounded, that must be towards zero for nearest_even, else as `rounding` says.
template <class F, class T>
[[gnu::always_inline]] inline bool is_tiny(Rounding rounding, T x) {
  constexpr u64 kExponent = F64::kBias + 1 - F::kBias;
  constexpr double kSmallest = __builtin_bit_cast(double, kExponent << F64::kMantissaBits);
  // How far apart numbers just below are: half as far as above.
  constexpr double kStep =
      __builtin_bit_cast(double, (kExponent - F::kMantissaBits - 1) << F64::kMantissaBits);
  const T size = x < 0 ? -x : x;
  switch (rounding) {
    case Rounding::down:
      if (x < 0) return size <= static_cast<T>(kSmallest - kStep);
      break;
    case Rounding::up:
      if (x > 0) return size <= static_cast<T>(kSmallest - kStep);
      break;
    case Rounding::zero:
      break;
    default:
      return size < static_cast<T>(kSmallest - kStep / 2);  // halfway goes up
  }
  return size < static_cast<T>(kSmallest);
}

/// Whether the discarded part `rest` of a magnitude, out of `2 * half`, rounds `kept` up.
template <Rounding kRounding, class Bits>
[[gnu::always_inline]] inline bool rounds_up(bool negative, Bits kept, Bits rest, Bits half) {
  switch (kRounding) {
    case Rounding::nearest_even:
      return rest > half || (rest == half && (kept & 1));
    case Rounding::nearest_away:
      return rest >= half;
    case Rounding::down:
      return negative && rest != 0;
    case Rounding::up:
      return !negative && rest != 0;
    case Rounding::zero:
      return false;
  }
  return false;
}

/// The bits of `bits`, a `From`, in the narrower format `To`, rounded once. With `kSatFinite`, what
/// is beyond the largest number becomes that number, infinities included.
template <class To, class From, Rounding kRounding, bool kSatFinite = false>
[[gnu::always_inline]] inline typename To::Bits narrow(typename From::Bits bits) {
  using Bits = typename From::Bits;
  constexpr int kDropped = From::kMantissaBits - To::kMantissaBits;
  constexpr int kRebias = From::kBias - To::kBias;
  static_assert(kDropped > 0 && kRebias >= 0);
  const Bits size = magnitude<From>(bits);
  const bool negative = (bits & From::kSign) != 0;
  const auto field = static_cast<int>(size >> From::kMantissaBits);
  const int exponent = field > 0 ? field : 1;
  const Bits significand = (size & From::kMantissa) | (field > 0 ? From::kSmallestNormal : Bits{0});
  // Below To's smallest normal the grid no longer gets finer, so more bits are dropped; three more
  // than there are leave nothing but "not zero".
  const int target = exponent - kRebias;
  const int below = target < 1 ? 1 - target : 0;
  const int shift = kDropped + (below < To::kMantissaBits + 3 ? below : To::kMantissaBits + 3);
  const Bits kept = significand >> shift;
  const Bits rest = significand & ((Bits{1} << shift) - 1);
  const Bits half = Bits{1} << (shift - 1);
  const int field_below = target < 1 ? 0 : target - 1;  // kept brings the leading bit itself
  Bits result = (static_cast<Bits>(field_below) << To::kMantissaBits) + kept;
  result += rounds_up<kRounding>(negative, kept, rest, half) ? 1 : 0;
  constexpr Bits kLargest = To::kLargest;
  constexpr bool kNeverInfinite = kSatFinite || kRounding == Rounding::zero;
  const bool stays_finite = kNeverInfinite || (kRounding == Rounding::down && !negative) ||
                            (kRounding == Rounding::up && negative);
  const Bits beyond = stays_finite ? kLargest : Bits{To::kInfinity};
  result = result > kLargest ? beyond : result;
  if constexpr (!kSatFinite) result = size == From::kInfinity ? Bits{To::kInfinity} : result;
  result |= negative ? Bits{To::kSign} : Bits{0};
  result = size > From::kInfinity ? Bits{To::kNan} : result;
  return static_cast<typename To::Bits>(result);
}

/// The float with the same value; NaNs stay NaNs.
template <class From>
[[gnu::always_inline]] inline float widen(typename From::Bits bits) {
  constexpr int kShift = F32::kMantissaBits - From::kMantissaBits;
  constexpr float kScale = __builtin_bit_cast(
      float, static_cast<u32>(F32::kBias + F32::kBias - From::kBias) << F32::kMantissaBits);
  const u32 size = static_cast<u32>(magnitude<From>(bits));
  const u32 sign = static_cast<u32>(bits & From::kSign)
                   << (32 - static_cast<int>(8 * sizeof(typename From::Bits)));
  // With From's exponent field read as F32's the value is off by a power of two, subnormals too.
  const u32 scaled = bits_of<F32>(value_of<F32>(size << kShift) * kScale);
  constexpr u32 kLargest = From::kLargest;
  const u32 special = F32::kInfinity | (size << kShift);
  return value_of<F32>((size > kLargest ? special : scaled) | sign);
}

template <>
[[gnu::always_inline]] inline float widen<BF16>(u16 bits) {
  return value_of<F32>(static_cast<u32>(bits) << 16);
}

/// `sum`, the rounded value of an exact sum, changed to the neighbour whose last bit is set when
/// something (`error`, exact sum minus `sum`) was lost. Rounding that again to a format that is at
/// least two bits shorter gives what rounding the exact sum once would give.
/// @source S. Boldo, G. Melquiond, Emulation of FMA and correctly rounded sums, 2008
template <class F>
[[gnu::always_inline]] inline typename F::Value round_to_odd(typename F::Value sum,
                                                             typename F::Value error) {
  using Bits = typename F::Bits;
  const Bits bits = bits_of<F>(sum);
  const bool lost = error > 0 || error < 0;  // not for NaN: then the sum is not finite
  const bool away = (error > 0) == (sum > 0);
  const Bits odd = away ? bits + 1 : bits - 1;
  return value_of<F>(lost && (bits & 1) == 0 ? odd : bits);
}

/// a + b, rounded to odd.
template <class F>
[[gnu::always_inline]] inline typename F::Value add_to_odd(typename F::Value a,
                                                           typename F::Value b) {
  using Value = typename F::Value;
  const Value sum = a + b;
  const Value b_part = sum - a;  // Knuth's two-sum: the error of sum is exact
  const Value a_part = sum - b_part;
  const Value error = (a - a_part) + (b - b_part);
  return round_to_odd<F>(sum, error);
}

}  // namespace warpsim::WARPSIM_SIMD
