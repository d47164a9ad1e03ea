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
  Model model = Model::rounding;
  std::optional<Expression> terms;  // roundings in the longest chain, over the case's dims
  double factor = 1.0;
  Precision precision = Precision::f32;
};

}  // namespace warpgrade
