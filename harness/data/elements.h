#pragma once

#include <cstddef>

#include "harness/data/array.h"
#include "harness/data/poison.h"

namespace warpgrade {

/// An element as a number; large integers are rounded.
[[nodiscard]] inline double number_at(const Array& array, std::size_t i) {
  return with_type(array.type,
                   [&](auto zero) { return static_cast<double>(array.as<decltype(zero)>()[i]); });
}

/// Whether an element still holds what was there before the call.
[[nodiscard]] inline bool is_unwritten(const Array& array, std::size_t i) {
  const std::size_t size = size_of(array.type);
  return is_poison(array.bytes.data() + i * size, array.type, size);
}

}  // namespace warpgrade
