#include "harness/case/judge_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "harness/case/aligned.h"
#include "harness/case/describe_difference.h"
#include "harness/core/lab_error.h"
#include "harness/core/plural.h"

namespace warpgrade {

namespace {

constexpr std::size_t kListed = 8;  // mismatches

/// The first wrong element, where its index or its value alone says too little: its place in an
/// array of three extents or more, the digits of a number that a double does not hold.
std::string first_wrong(const Array& got, const Expected& want, std::uint64_t index) {
  constexpr double kExact = 0x1p53;
  const auto is_extent = [](std::uint64_t extent) { return extent > 1; };
  const bool is_deep = std::count_if(got.shape.begin(), got.shape.end(), is_extent) > 2;
  const bool is_wide = !is_float(got.type) && size_of(got.type) == 8 &&
                       std::abs(static_cast<double>(want.exact[index])) >= kExact;
  if (!is_deep && !is_wide) return "";
  std::string place;
  std::uint64_t left = index;
  for (std::size_t i = got.shape.size(); i > 0; left /= got.shape[--i]) {
    place = fmt::format("[{}]{}", left % got.shape[i - 1], place);
  }
  if (!is_wide) return fmt::format(" The first wrong one is {}.", place);
  if (got.type == ElementType::u64) {
    return fmt::format(" The first wrong one, {}, is {} and should be {}.", place,
                       got.as<std::uint64_t>()[index],
                       static_cast<std::uint64_t>(want.exact[index]));
  }
  return fmt::format(" The first wrong one, {}, is {} and should be {}.", place,
                     got.as<std::int64_t>()[index], want.exact[index]);
}

/// Whether a pattern says the same of values in any position.
bool is_without_position(PatternKind kind) {
  return kind == PatternKind::unwritten || kind == PatternKind::all_zero;
}

/// Replaces a pattern of positions by what can be said of this kind of output.
void describe(const Parameter& parameter, const Array& got, const Expected& want,
              const std::vector<bool>& right, Pattern& pattern) {
  const OutputComparison& comparison = parameter.comparison;
  if (comparison.order != OutputOrder::fixed && !is_without_position(pattern.kind)) {
    pattern.kind = PatternKind::other_values;
    pattern.detail = describe_free_order(got, want, right, unit_length(parameter, got));
  } else if (comparison.form != OutputForm::numbers) {
    pattern.detail += fmt::format("{}{}", pattern.detail.empty() ? "" : " ",
                                  describe_text(got, want, right, comparison.form));
  }
}

OutputResult judge_by_values(const CaseData& data, const Parameter& parameter, const Array& got,
                             std::span<const NamedArray> inputs) {
  Expected aligned;
  const Expected& want = aligned_expected(data, parameter, got, aligned);
  OutputResult output;
  output.parameter = parameter.name;
  output.shape = got.shape;
  output.comparison = compare(got, want);
  if (!output.comparison.passed()) {
    const std::vector<bool> right = matches(got, want);
    output.pattern = classify(got, want, right, inputs);
    if (parameter.comparison.order == OutputOrder::fixed) {
      output.pattern.detail += first_wrong(got, want, output.comparison.first.front().index);
    }
    describe(parameter, got, want, right, output.pattern);
    output.wrong_map = map_wrong(parameter.name, right, output.shape);
  }
  return output;
}

/// @param rejected  of all outputs
OutputResult judge_by_predicate(const CaseData& data, const Parameter& parameter, const Array& got,
                                const std::vector<RejectedElement>& rejected) {
  const Expected& want = data.expected.at(parameter.name);
  std::vector<bool> right(got.count(), true);
  OutputResult output;
  output.parameter = parameter.name;
  output.shape = got.shape;
  output.comparison.count = got.count();
  for (const RejectedElement& element : rejected) {
    if (element.parameter != parameter.name || element.index >= right.size()) continue;
    if (!right[element.index]) continue;
    right[element.index] = false;
    if (output.comparison.mismatches++ == 0) output.pattern.detail = element.why;
  }
  if (output.comparison.passed()) return output;
  output.comparison.worst_ratio = std::numeric_limits<double>::infinity();
  const Comparison values = compare(got, want, right.size());
  for (const Mismatch& mismatch : values.first) {
    if (output.comparison.first.size() < kListed && !right[mismatch.index]) {
      output.comparison.first.push_back(mismatch);
    }
  }
  output.pattern.kind = PatternKind::other_values;
  output.pattern.wrong = output.comparison.mismatches;
  output.wrong_map = map_wrong(parameter.name, right, output.shape);
  return output;
}

/// What the lab's predicate rejects; an element that is not in an output counts as its first one,
/// because something must be wrong with it.
std::vector<RejectedElement> rejected_elements(const CaseData& data,
                                               const std::map<std::string, Array>& outputs) {
  std::vector<RejectedElement> rejected = data.accepts(data.spec->data.dims, data.inputs, outputs);
  for (RejectedElement& element : rejected) {
    const auto output = outputs.find(element.parameter);
    if (output == outputs.end()) {
      throw LabError(
          fmt::format("reference/{}/golden.cpp, WARPGRADE_ACCEPTS: there is no output "
                      "'{}'; name one of the function's",
                      data.lab->id, element.parameter));
    }
    if (element.index >= output->second.count()) element.index = 0;
  }
  return rejected;
}

}  // namespace

std::vector<OutputResult> judge_outputs(const CaseData& data,
                                        const std::map<std::string, Array>& outputs) {
  std::vector<NamedArray> inputs;
  for (const auto& [name, array] : data.inputs) inputs.push_back({.name = name, .array = &array});
  const bool all =
      std::all_of(data.lab->parameters.begin(), data.lab->parameters.end(),
                  [&](const Parameter& p) { return !p.is_written() || outputs.contains(p.name); });
  const std::vector<RejectedElement> rejected =
      data.accepts && all ? rejected_elements(data, outputs) : std::vector<RejectedElement>();
  std::vector<OutputResult> results;
  for (const Parameter& parameter : data.lab->parameters) {
    const auto got = outputs.find(parameter.name);
    if (!parameter.is_written() || got == outputs.end()) continue;
    if (!parameter.comparison.by_predicate) {
      results.push_back(judge_by_values(data, parameter, got->second, inputs));
    } else if (all) {
      results.push_back(judge_by_predicate(data, parameter, got->second, rejected));
    }
  }
  return results;
}

bool are_right(const CaseData& data, const std::map<std::string, Array>& outputs) {
  if (data.accepts && !rejected_elements(data, outputs).empty()) return false;
  return std::all_of(
      data.lab->parameters.begin(), data.lab->parameters.end(), [&](const Parameter& parameter) {
        if (!parameter.is_written() || parameter.comparison.by_predicate) return true;
        const Array& got = outputs.at(parameter.name);
        Expected aligned;
        return compare(got, aligned_expected(data, parameter, got, aligned)).passed();
      });
}

std::string wrong_message(const OutputResult& output) {
  const Comparison& comparison = output.comparison;
  return fmt::format("`{}` is wrong at {} of {}. {}", output.parameter, comparison.mismatches,
                     plural(comparison.count, "element"), output.pattern.detail);
}

}  // namespace warpgrade
