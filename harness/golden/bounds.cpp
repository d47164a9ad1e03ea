#include "harness/golden/bounds.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "harness/lab/shapes.h"
#include "harness/tolerance/error_model.h"

namespace warpgrade {

void set_bounds(const Lab& lab, const Case& spec, const Parameter& parameter, Expected& expected) {
  double relative = 0;
  double absolute = 0;
  double stored = 0;  // of the result's one rounding to its type
  const Tolerance& tolerance = lab.tolerance_of(parameter);
  if (tolerance.model == Tolerance::Model::rounding && tolerance.terms && !spec.exact) {
    const double terms = evaluate(lab, *tolerance.terms, spec.data.dims);
    try {
      relative = tolerance.factor * product_sum_bound(terms, tolerance.precision);
    } catch (const std::domain_error& error) {
      throw LabError(
          fmt::format("labs/{}/lab.toml: case \"{}\": {} ({} terms); write another "
                      "precision or a smaller case",
                      lab.id, spec.name, error.what(), terms));
    }
    absolute = underflow_bound(terms, tolerance.precision);
    absolute += storage_underflow(expected.type);
    // Sums in the type are rounded to it already.
    const bool in_type =
        tolerance.precision == Precision::f16_sums || tolerance.precision == Precision::bf16_sums;
    if (!in_type) stored = storage_roundoff(expected.type);
  }
  for (std::size_t i = 0; i < expected.bound.size(); ++i) {
    double& bound = expected.bound[i];
    // Infinities and NaNs are compared by class, not by size.
    if (!std::isfinite(bound)) {
      bound = 0;
      continue;
    }
    bound = relative * bound + absolute;
    const double size = std::abs(expected.want[i]);
    if (stored > 0 && std::isfinite(size)) bound += stored * (size + bound);
  }
}

}  // namespace warpgrade
