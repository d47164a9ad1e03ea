#include "harness/tolerance/error_model.h"

#include <limits>
#include <stdexcept>

namespace warpgrade {

double unit_roundoff(ElementType type) {
  return type == ElementType::f64 ? 0x1p-53 : 0x1p-24;
}

double gamma_bound(double terms, ElementType precision) {
  const double error = terms * unit_roundoff(precision);
  if (!(error < 1)) throw std::domain_error("the error model needs fewer terms than 1/u");
  return error / (1 - error);
}

double underflow_bound(double terms, ElementType precision) {
  // Half of f64's smallest subnormal is no number; the whole one is.
  return terms * (precision == ElementType::f64 ? 0x1p-1074 : 0x1p-150);
}

double overflow_threshold(ElementType type) {
  // f32: the largest number and half a unit in its last place.
  return type == ElementType::f32 ? 0x1.ffffffp127 : std::numeric_limits<double>::infinity();
}

}  // namespace warpgrade
