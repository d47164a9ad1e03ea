#include "harness/case/aligned.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/lab_error.h"
#include "harness/lab/shapes.h"
#include "harness/tolerance/align.h"

namespace warpgrade {

namespace {

/// The first units of all groups, and the end of the last: of an input, or as expected of an
/// output.
std::vector<std::uint64_t> group_bounds(const CaseData& data, const std::string& name,
                                        std::uint64_t units) {
  std::vector<std::uint64_t> bounds;
  if (name.empty()) return {0, units};
  if (const auto input = data.inputs.find(name); input != data.inputs.end()) {
    with_type(input->second.type, [&](auto zero) {
      using T = decltype(zero);
      for (const T value : input->second.template as<T>()) {
        bounds.push_back(static_cast<std::uint64_t>(value));
      }
    });
  } else {
    for (const std::int64_t value : data.expected.at(name).exact) {
      bounds.push_back(static_cast<std::uint64_t>(value));
    }
  }
  if (bounds.empty() || !std::is_sorted(bounds.begin(), bounds.end()) || bounds.back() > units) {
    throw LabError(
        fmt::format("lab {}, case \"{}\": '{}' does not delimit groups: it must ascend "
                    "from 0 to at most {}",
                    data.lab->id, data.spec->name, name, units));
  }
  return bounds;
}

}  // namespace

Expected aligned_expected(const CaseData& data, const Parameter& parameter, const Array& got) {
  const Expected& want = data.expected.at(parameter.name);
  const OutputComparison& comparison = parameter.comparison;
  if (comparison.order == OutputOrder::fixed || got.count() == 0) return want;
  const std::uint64_t length =
      comparison.order == OutputOrder::rows ? std::max<std::uint64_t>(got.shape.back(), 1) : 1;
  return align(got, want, length, group_bounds(data, comparison.groups, got.count() / length));
}

}  // namespace warpgrade
