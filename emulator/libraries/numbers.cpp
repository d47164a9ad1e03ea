#include "emulator/libraries/numbers.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace warpsim::libraries {

bool is_known(DataType type) {
  switch (type) {
    case DataType::f32:
    case DataType::f64:
    case DataType::f16:
    case DataType::c32:
    case DataType::c64:
    case DataType::bf16:
      return true;
  }
  return false;
}

std::size_t bytes_of(DataType type) {
  switch (type) {
    case DataType::f32:
      return 4;
    case DataType::f64:
    case DataType::c32:
      return 8;
    case DataType::c64:
      return 16;
    default:
      return 2;
  }
}

std::string in_words(DataType type) {
  switch (type) {
    case DataType::f32:
      return "CUDA_R_32F";
    case DataType::f64:
      return "CUDA_R_64F";
    case DataType::f16:
      return "CUDA_R_16F";
    case DataType::bf16:
      return "CUDA_R_16BF";
    case DataType::c32:
      return "CUDA_C_32F";
    case DataType::c64:
      return "CUDA_C_64F";
  }
  return fmt::format("cudaDataType {}", static_cast<int>(type));
}

float from_half(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16;
  const std::uint32_t exponent = bits >> 10 & 0x1fU;
  const std::uint32_t fraction = bits & 0x3ffU;
  if (exponent == 0) {
    const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

/// To nearest, ties to even.
std::uint16_t to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000U);
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return 0x7fff;
  if (magnitude >= 65520.0F) return sign | 0x7c00;
  if (magnitude < 0x1p-14F) {  // a multiple of the smallest subnormal number
    return sign | static_cast<std::uint16_t>(std::nearbyint(std::ldexp(magnitude, 24)));
  }
  const std::uint32_t rounded = (bits & 0x7fffffffU) + 0xfffU + (bits >> 13 & 1U);
  return sign | static_cast<std::uint16_t>((rounded >> 13) - (112U << 10));
}

float from_bfloat(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

std::uint16_t to_bfloat(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return 0x7fff;
  return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
}

}  // namespace warpsim::libraries
