#include "harness/tolerance/error_model.h"

#include <limits>
#include <stdexcept>

namespace warpgrade {

namespace {

/// Relative error of rounding an input; 0 if inputs are not rounded.
double input_roundoff(Precision precision) {
  switch (precision) {
    case Precision::tf32:
    case Precision::f16:  // as many significand bits
      return 0x1p-11;
    case Precision::bf16:
      return 0x1p-8;
    case Precision::f32:
    case Precision::f64:
    case Precision::f16_sums:
    case Precision::bf16_sums:
      break;
  }
  return 0;
}

}  // namespace

double unit_roundoff(Precision precision) {
  if (precision == Precision::f64) return 0x1p-53;
  if (precision == Precision::f16_sums) return 0x1p-11;
  return precision == Precision::bf16_sums ? 0x1p-8 : 0x1p-24;
}

double gamma_bound(double terms, Precision precision) {
  const double error = terms * unit_roundoff(precision);
  if (!(error < 1)) throw std::domain_error("the error model needs fewer terms than 1/u");
  return error / (1 - error);
}

double product_sum_bound(double terms, Precision precision) {
  const double input = input_roundoff(precision);
  if (input == 0) return gamma_bound(terms, precision);
  const double factors = (1 + input) * (1 + input);
  return factors * (1 + gamma_bound(2 * terms, precision)) - 1;
}

double underflow_bound(double terms, Precision precision) {
  // Half of f64's smallest subnormal is not representable; the whole one is.
  if (precision == Precision::f16_sums) return terms * 0x1p-25;
  if (precision == Precision::bf16_sums) return terms * 0x1p-134;
  return terms * (precision == Precision::f64 ? 0x1p-1074 : 0x1p-150);
}

double storage_roundoff(ElementType type) {
  if (type == ElementType::f16) return 0x1p-11;
  return type == ElementType::bf16 ? 0x1p-8 : 0;
}

double storage_underflow(ElementType type) {
  if (type == ElementType::f16) return 0x1p-25;
  return type == ElementType::bf16 ? 0x1p-134 : 0;
}

double overflow_threshold(ElementType type) {
  // The largest number and half a unit in its last place.
  if (type == ElementType::f16) return 65520;
  if (type == ElementType::bf16) return 0x1.ffp127;
  return type == ElementType::f32 ? 0x1.ffffffp127 : std::numeric_limits<double>::infinity();
}

}  // namespace warpgrade
