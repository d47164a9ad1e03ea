#include "harness/case/aligned.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

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

bool is_in_free_order(const Parameter& parameter, const Array& got) {
  return parameter.comparison.order != OutputOrder::fixed && got.count() != 0;
}

}  // namespace

std::uint64_t unit_length(const Parameter& parameter, const Array& got) {
  return parameter.comparison.order == OutputOrder::rows ? got.shape.back() : 1;
}

const Expected& aligned_expected(const CaseData& data, const Parameter& parameter, const Array& got,
                                 Expected& storage) {
  const Expected& want = data.expected.at(parameter.name);
  const std::string& groups = parameter.comparison.groups;
  if (groups.empty() || !is_in_free_order(parameter, got)) {
    return aligned_as_one_group(parameter, got, want, storage);
  }
  const std::uint64_t length = unit_length(parameter, got);
  return storage = align(got, want, length, group_bounds(data, groups, got.count() / length));
}

const Expected& aligned_as_one_group(const Parameter& parameter, const Array& got,
                                     const Expected& want, Expected& storage) {
  if (!is_in_free_order(parameter, got)) return want;
  const std::uint64_t length = unit_length(parameter, got);
  return storage = align(got, want, length, {0, got.count() / length});
}

}  // namespace warpgrade
