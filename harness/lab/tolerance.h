#pragma once

#include <cstdint>
#include <optional>

#include "harness/core/expression.h"
#include "harness/tolerance/error_model.h"

namespace warpgrade {

/// |got - want| <= factor * product_sum_bound(terms) * condition + underflow; integers are always
/// exact. See docs/tolerance.md.
struct Tolerance {
  enum class Model : std::uint8_t { rounding, exact };

}  // namespace warpgrade
