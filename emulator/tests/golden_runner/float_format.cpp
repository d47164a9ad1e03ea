#include "emulator/tests/golden_runner/float_format.h"

#include <bit>
#include <cmath>
#include <limits>

namespace warpsim::golden {

const FloatFormat* float_format(ptx::Type type) {
  static constexpr FloatFormat kF16 = {16, 10, 0x7fff};
  static constexpr FloatFormat kBf16 = {16, 7, 0x7fff};
  static constexpr FloatFormat kF32 = {32, 23, 0x7fffffff};
  static constexpr FloatFormat kF64 = {64, 52, 0x7ff8000000000000};
  switch (type) {
    case ptx::Type::f16:
      return &kF16;
    case ptx::Type::bf16:
      return &kBf16;
    case ptx::Type::tf32:
    case ptx::Type::f32:
      return &kF32;
    case ptx::Type::f64:
      return &kF64;
    default:
      return nullptr;
  }
}

double decode(std::uint64_t bits, const FloatFormat& format) {
  if (format.total_bits == 64) return std::bit_cast<double>(bits);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << format.fraction_bits) - 1);
  const int exponent_mask = (1 << format.exponent_bits()) - 1;
  const int exponent = static_cast<int>(bits >> format.fraction_bits) & exponent_mask;
  const double sign = (bits >> (format.total_bits - 1)) & 1 ? -1.0 : 1.0;
  if (exponent == exponent_mask) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  }
  const int scale = (exponent == 0 ? 1 : exponent) - format.bias() - format.fraction_bits;
  const auto implicit = static_cast<double>(std::uint64_t{exponent != 0} << format.fraction_bits);
  return sign * std::ldexp(static_cast<double>(fraction) + implicit, scale);
}

std::optional<std::uint64_t> encode_exactly(double value, const FloatFormat& format) {
  const std::uint64_t sign = std::signbit(value) ? std::uint64_t{1} << (format.total_bits - 1) : 0;
  const double magnitude = std::fabs(value);
  // Magnitudes are ordered like their bits, so the largest one not above `magnitude` is found by
  // setting bits from the top.
  std::uint64_t bits = 0;
  for (int i = format.total_bits - 2; i >= 0; --i) {
    const std::uint64_t candidate = bits | std::uint64_t{1} << i;
    if (decode(candidate, format) <= magnitude) bits = candidate;
  }
  if (decode(bits, format) != magnitude) return std::nullopt;
  return sign | bits;
}

}  // namespace warpsim::golden
