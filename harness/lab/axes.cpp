#include "harness/lab/axes.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace warpgrade {

bool are_axes_of_one_array(const Lab& lab, std::string_view a, std::string_view b) {
  const auto has = [](const std::vector<Expression>& shape, std::string_view name) {
    return std::any_of(shape.begin(), shape.end(),
                       [&](const Expression& extent) { return extent.text() == name; });
  };
  const auto is = [](const std::optional<Expression>& extent, std::string_view name) {
    return extent && extent->text() == name;
  };
  return std::any_of(lab.parameters.begin(), lab.parameters.end(),
                     [&](const Parameter& p) { return has(p.shape, a) && has(p.shape, b); }) ||
         std::any_of(lab.matrices.begin(), lab.matrices.end(), [&](const SparseMatrix& m) {
           return (is(m.rows, a) && is(m.columns, b)) || (is(m.rows, b) && is(m.columns, a));
         });
}

AxisKind axis_kind(const Lab& lab, std::string_view extent) {
  bool last = false;
  bool before_last = false;
  for (const Parameter& parameter : lab.parameters) {
    for (std::size_t axis = 0; parameter.shape.size() > 1 && axis < parameter.shape.size();
         ++axis) {
      if (parameter.shape[axis].text() != extent) continue;
      (axis + 1 == parameter.shape.size() ? last : before_last) = true;
    }
  }
  if (last) return before_last ? AxisKind::both : AxisKind::last;
  return before_last ? AxisKind::before_last : AxisKind::none;
}

}  // namespace warpgrade
