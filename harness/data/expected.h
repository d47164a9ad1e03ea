#pragma once

#include <cstdint>
#include <vector>

#include "harness/data/element_type.h"

namespace warpgrade {

/// The expected values of one output, and their error bounds.
struct Expected {
  ElementType type = ElementType::f32;
  std::vector<double> want;  // floating-point outputs
  std::vector<double> bound;  // with them: largest allowed |got - want|
  std::vector<std::int64_t> exact;  // integer outputs; u64 as the same bits

  [[nodiscard]] std::size_t count() const { return is_float(type) ? want.size() : exact.size(); }
};

}  // namespace warpgrade
