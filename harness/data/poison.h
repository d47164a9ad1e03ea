#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "harness/data/element_type.h"

namespace warpgrade {

/// The value of an output's elements before the call: a quiet NaN that no arithmetic produces, so
/// that a float that was never written cannot look like a small number; for integers a byte
/// pattern. Header-only: the worker and the parent must agree.
[[nodiscard]] constexpr std::uint64_t poison_bits(ElementType type) {
  if (type == ElementType::f32) return 0xfff5a5a5U;
  if (type == ElementType::f64) return 0xfffda5a5a5a5a5a5U;
  if (type == ElementType::f16) return 0xfea5U;
  if (type == ElementType::bf16) return 0xffe5U;
  return 0xa5a5a5a5a5a5a5a5U;  // its low bytes
}

/// Whether the element that starts at `element` still holds the poison.
[[nodiscard]] inline bool is_poison(const std::byte* element, ElementType type,
                                    std::size_t element_size) {
  const std::uint64_t bits = poison_bits(type);
  switch (element_size) {  // constant sizes avoid a call of memcmp
    case sizeof(std::uint32_t):
      return std::memcmp(element, &bits, sizeof(std::uint32_t)) == 0;
    case sizeof(std::uint64_t):
      return std::memcmp(element, &bits, sizeof(std::uint64_t)) == 0;
    default:
      return std::memcmp(element, &bits, element_size) == 0;
  }
}

/// Fills whole elements.
inline void poison(std::span<std::byte> bytes, ElementType type, std::size_t element_size) {
  const std::uint64_t bits = poison_bits(type);
  for (std::size_t at = 0; at + element_size <= bytes.size(); at += element_size) {
    std::memcpy(bytes.data() + at, &bits, element_size);
  }
}

}  // namespace warpgrade
