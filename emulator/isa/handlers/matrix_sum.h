#pragma once

// Sums of products as tensor cores make them: see MatrixAccumulation. Everything is exact in
// doubles: products have at most 22 bits, aligned addends at most 27 and a sum of them at most 33.

#include "emulator/isa/handlers/float_format.h"
#include "emulator/isa/matrix_operand.h"

namespace warpsim::WARPSIM_SIMD {

/// The exponent of a zero among others: below all, and still below when two of them are added.
constexpr s32 kNoExponent = -4096;

/// The exponent that a number's format gives it: a subnormal's is that of the smallest normal.
[[gnu::always_inline]] inline s32 exponent_of(double value, s32 smallest) {
  const s32 field = static_cast<s32>(bits_of<F64>(value) >> F64::kMantissaBits) & 0x7ff;
  const s32 exponent = field - F64::kBias;
  const s32 kept = exponent > smallest ? exponent : smallest;
  return field == 0 ? kNoExponent : kept;
}

[[gnu::always_inline]] inline bool is_finite(double value) {
  return (bits_of<F64>(value) & F64::kInfinity) != F64::kInfinity;
}

/// 2 to the power `exponent`, a normal number's.
[[gnu::always_inline]] inline double power_of_two(s32 exponent) {
  return value_of<F64>(static_cast<u64>(static_cast<u32>(exponent + F64::kBias))
                       << F64::kMantissaBits);
}

/// The f32 next to `value` on the side of zero; infinity beyond f32's exponents.
[[gnu::always_inline]] inline float towards_zero(double value) {
  const float nearest = static_cast<float>(value);
  const double size = __builtin_fabs(value);
  const bool beyond = __builtin_fabs(static_cast<double>(nearest)) > size;
  const u32 bits = bits_of<F32>(nearest) - (beyond ? 1 : 0);
  const u32 infinity = (bits & F32::kSign) | F32::kInfinity;
  return value_of<F32>(size >= 0x1p128 ? infinity : bits);
}

/// Exponents of `count` numbers; false when one of them is an infinity or NaN.
inline bool set_exponents(const double* values, u32 count, s32 smallest, s32* exponents) {
  s32 largest = kNoExponent;
  for (u32 i = 0; i < count; ++i) {
    exponents[i] = exponent_of(values[i], smallest);
    largest = largest > exponents[i] ? largest : exponents[i];
  }
  return largest <= F64::kBias;
}

/// Exponent of the smallest normal number of an operand's type.
inline s32 smallest_exponent(MatrixElement element, bool through_f16) {
  switch (element) {
    case MatrixElement::e4m3:
      return through_f16 ? 1 - F16::kBias : 1 - E4M3::kBias;
    case MatrixElement::e5m2:
    case MatrixElement::f16:
      return 1 - F16::kBias;
    default:
      return 1 - F32::kBias;
  }
}

/// One row of A times kN columns of B, and what the sums are rounded to.
struct SumFormat {
  MatrixAccumulation model;
  s32 smallest_c = -126;  // exponent of the accumulator's smallest normal number
  bool half_result = false;  // f16, to the nearest; else f32
};

[[gnu::always_inline]] inline double rounded_sum(const SumFormat& format, double sum) {
  if (format.half_result) {
    return double{widen<F16>(narrow<F16, F64, Rounding::nearest_even>(bits_of<F64>(sum)))};
  }
  const u32 dropped = (1u << (F32::kMantissaBits - format.model.result_bits)) - 1;
  return double{value_of<F32>(bits_of<F32>(towards_zero(sum)) & ~dropped)};
}

/// sums[j] = rounded(sums[j] + a[0] * b[0][j] + ... + a[count - 1] * b[count - 1][j]); all finite.
/// @param a, a_exponent  `count` numbers
/// @param b, b_exponent  rows of kN numbers
template <int kN>
inline void add_block(const SumFormat& format, u32 count, const double* a, const s32* a_exponent,
                      const double* b, const s32* b_exponent, double* sums) {
  alignas(64) s32 largest[kN];
  for (int j = 0; j < kN; ++j) {
    const s32 own = exponent_of(sums[j], format.smallest_c);
    largest[j] = own > format.model.zero_exponent ? own : format.model.zero_exponent;
  }
  for (u32 i = 0; i < count; ++i) {
    for (int j = 0; j < kN; ++j) {
      const s32 exponent = a_exponent[i] + b_exponent[i * kN + static_cast<u32>(j)];
      largest[j] = largest[j] > exponent ? largest[j] : exponent;
    }
  }
  alignas(64) double scale[kN];
  alignas(64) double total[kN];
  for (int j = 0; j < kN; ++j) scale[j] = power_of_two(format.model.fraction_bits - largest[j]);
  // Converting to an integer cuts off towards zero.
  for (int j = 0; j < kN; ++j) total[j] = static_cast<s32>(sums[j] * scale[j]);
  for (u32 i = 0; i < count; ++i) {
    const double factor = a[i];
    for (int j = 0; j < kN; ++j) {
      total[j] += static_cast<s32>(factor * b[i * kN + static_cast<u32>(j)] * scale[j]);
    }
  }
  // Plus 0: where a conversion to an integer and back is one instruction, it leaves a zero's sign.
  for (int j = 0; j < kN; ++j) {
    total[j] = total[j] * power_of_two(largest[j] - format.model.fraction_bits) + 0.0;
  }
  for (int j = 0; j < kN; ++j) sums[j] = rounded_sum(format, total[j]);
}

/// One element with all its special values: any infinity or NaN among the products or in the sum
/// decides the block's result.
inline double sum_of_specials(SumFormat format, u32 k, const double* a, const s32* a_exponent,
                              const double* b, const s32* b_exponent, u32 stride, double sum) {
  alignas(64) double column[64];
  alignas(64) s32 column_exponent[64];
  for (u32 i = 0; i < k; ++i) {
    column[i] = b[i * stride];
    column_exponent[i] = b_exponent[i * stride];
  }
  for (u32 first = 0; first < k; first += format.model.block) {
    const u32 count = k - first < format.model.block ? k - first : format.model.block;
    double special = is_finite(sum) ? 0 : sum;
    bool found = !is_finite(sum);
    for (u32 i = first; i < first + count; ++i) {
      const double product = a[i] * column[i];
      if (is_finite(product)) continue;
      special += product;
      found = true;
    }
    if (found) {
      sum = special;
    } else {
      add_block<1>(format, count, a + first, a_exponent + first, column + first,
                   column_exponent + first, &sum);
    }
    format.smallest_c = format.half_result ? 1 - F16::kBias : 1 - F32::kBias;
  }
  return sum;
}

/// c = a * b + c for row-major a (m x k), b (k x kN) and c (m x kN).
/// @param finite  no element of a, b and c is an infinity or NaN
template <int kN>
inline void multiply_add(SumFormat format, u32 m, u32 k, const double* a, const s32* a_exponent,
                         const double* b, const s32* b_exponent, double* c, bool finite) {
  const s32 smallest_c = format.smallest_c;
  const s32 smallest_d = format.half_result ? 1 - F16::kBias : 1 - F32::kBias;
  for (u32 row = 0; row < m; ++row, a += k, a_exponent += k, c += kN) {
    alignas(64) double sums[kN];
    for (int j = 0; j < kN; ++j) sums[j] = c[j];
    bool stays_finite = finite;
    for (u32 first = 0; first < k && stays_finite; first += format.model.block) {
      const u32 count = k - first < format.model.block ? k - first : format.model.block;
      format.smallest_c = first == 0 ? smallest_c : smallest_d;
      add_block<kN>(format, count, a + first, a_exponent + first, b + first * kN,
                    b_exponent + first * kN, sums);
      // A sum that overflows in the middle of a chain is a special value for the rest.
      if (first + count < k) {
        for (int j = 0; j < kN; ++j) stays_finite = stays_finite && is_finite(sums[j]);
      }
    }
    if (!stays_finite) [[unlikely]] {
      format.smallest_c = smallest_c;
      for (int j = 0; j < kN; ++j) {
        sums[j] = sum_of_specials(format, k, a, a_exponent, b + j, b_exponent + j, kN, c[j]);
      }
    }
    for (int j = 0; j < kN; ++j) c[j] = sums[j];
  }
}

}  // namespace warpsim::WARPSIM_SIMD
