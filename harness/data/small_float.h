#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace warpgrade {

/// Rounds to a float of `kBits` significand bits, the leading one included, and at least 2^kLowest;
/// to nearest, ties to even. The result is exact in double and may exceed the type's range.
template <int kBits, int kLowest>
[[nodiscard]] double rounded_to(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  (void)std::frexp(value, &exponent);  // |value| is in [2^(exponent - 1), 2^exponent)
  const int unit = exponent - kBits > kLowest ? exponent - kBits : kLowest;
  return std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
}

/// IEEE 754 binary16, CUDA's `__half`: 11 significand bits, up to 65504.
class Float16 {
 public:
  Float16() = default;
  explicit Float16(double value) {
    const double rounded = rounded_to<11, -24>(value);
    bits_ = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000U : 0U);
    if (std::isnan(value)) {
      bits_ = 0x7fff;
    } else if (std::abs(rounded) >= 0x1p16) {
      bits_ |= 0x7c00U;
    } else if (std::abs(rounded) < 0x1p-14) {
      bits_ |= static_cast<std::uint16_t>(std::abs(rounded) * 0x1p24);
    } else {
      const int exponent = std::ilogb(rounded);
      const double fraction = std::ldexp(std::abs(rounded), 10 - exponent) - 1024;
      bits_ |= static_cast<std::uint16_t>(((exponent + 15) << 10) | static_cast<int>(fraction));
    }
  }
  [[nodiscard]] static Float16 from_bits(std::uint16_t bits) {
    Float16 value;
    value.bits_ = bits;
    return value;
  }
  [[nodiscard]] std::uint16_t bits() const { return bits_; }

  operator float() const {  // NOLINT(google-explicit-constructor): exact, as __half's
    const int exponent = (bits_ >> 10U) & 0x1fU;
    const int fraction = bits_ & 0x3ffU;
    const float sign = (bits_ & 0x8000U) != 0 ? -1.0F : 1.0F;
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
    if (exponent == 31) {
      return fraction != 0 ? std::bit_cast<float>(0x7fc00000U | (bits_ & 0x8000U) << 16U)
                           : sign * HUGE_VALF;
    }
    return sign * std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  }

 private:
  std::uint16_t bits_ = 0;
};

/// CUDA's `__nv_bfloat16`: a float's upper half, with 8 significand bits and a float's range.
class BFloat16 {
 public:
  BFloat16() = default;
  explicit BFloat16(double value) {
    // Rounded from double in one step: two would round some values twice.
    const double rounded = rounded_to<8, -133>(value);
    const bool is_nan = std::isnan(value);
    const auto wide = std::bit_cast<std::uint32_t>(static_cast<float>(rounded));
    bits_ = static_cast<std::uint16_t>(is_nan ? 0x7fffU : wide >> 16U);
  }
  [[nodiscard]] static BFloat16 from_bits(std::uint16_t bits) {
    BFloat16 value;
    value.bits_ = bits;
    return value;
  }
  [[nodiscard]] std::uint16_t bits() const { return bits_; }

  operator float() const {  // NOLINT(google-explicit-constructor): exact, as __nv_bfloat16's
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits_) << 16U);
  }

 private:
  std::uint16_t bits_ = 0;
};

static_assert(sizeof(Float16) == 2 && sizeof(BFloat16) == 2);

}  // namespace warpgrade
