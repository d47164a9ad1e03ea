#pragma once

#include <cstdint>
#include <optional>

#include "emulator/ptx/type.h"

namespace warpsim::golden {

/// A binary floating-point format of at most 64 bits.
struct FloatFormat {
  int total_bits;
  int fraction_bits;
  std::uint64_t canonical_nan;  // what the hardware produces
  [[nodiscard]] int exponent_bits() const { return total_bits - 1 - fraction_bits; }
  [[nodiscard]] int bias() const { return (1 << (exponent_bits() - 1)) - 1; }
};

/// The format of f16, bf16, tf32 (as an f32), f32 and f64; null for other types.
[[nodiscard]] const FloatFormat* float_format(ptx::Type type);
/// The value of the bits; exact, since every format here fits into double.
[[nodiscard]] double decode(std::uint64_t bits, const FloatFormat& format);
/// The bits of a value, when the format has exactly this value.
[[nodiscard]] std::optional<std::uint64_t> encode_exactly(double value, const FloatFormat& format);

}  // namespace warpsim::golden
