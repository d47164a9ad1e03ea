#include "grader/judge/misreading/variant.h"

#include <fmt/core.h>

#include <cmath>

#include "harness/case/program_run.h"
#include "harness/golden/misreading_library.h"
#include "harness/lab/shapes.h"

namespace warpgrade {
namespace {

const Parameter& parameter_of(const Lab& lab, const std::string& name) {
  for (const Parameter& parameter : lab.parameters) {
    if (parameter.name == name) return parameter;
  }
  throw LabError(fmt::format("labs/{}: there is no output '{}'", lab.id, name));
}

/// Whether two floats are told apart by their bounds.
bool are_apart(double a, double bound_a, double b, double bound_b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) != std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a != b;
  return std::abs(a - b) > bound_a + bound_b;
}

}  // namespace

std::vector<std::string> comparable_outputs(const Lab& lab) {
  std::vector<std::string> names;
  for (const Parameter& parameter : lab.parameters) {
    if (parameter.is_written() && parameter.comparison.order == OutputOrder::fixed &&
        !parameter.comparison.by_predicate) {
      names.push_back(parameter.name);
    }
  }
  return names;
}

bool are_told_apart(const Expected& a, const Expected& b) {
  for (std::size_t i = 0; i < a.count(); ++i) {
    const bool apart = is_float(a.type) ? are_apart(a.want[i], a.bound[i], b.want[i], b.bound[i])
                                        : a.exact[i] != b.exact[i];
    if (apart) return true;
  }
  return false;
}

std::vector<Variant> lab_variants(const MisreadingList& list) {
  std::vector<Variant> variants;
  for (const Misreading& misreading : list.all()) {
    variants.push_back({.id = misreading.id,
                        .says = misreading.says,
                        .pitfall = misreading.pitfall,
                        .formula = misreading.compute});
  }
  return variants;
}

VariantResult::VariantResult(const Variant& variant, const CaseData& data)
    : data_(data), general_(!variant.is_formula()) {
  const Lab& lab = *data.lab;
  if (variant.of_inputs) {
    std::optional<std::map<std::string, Expected>> computed = variant.of_inputs(data);
    computed_ = computed ? *std::move(computed) : data.expected;
    return;
  }
  if (!general_) {
    computed_ = expect_misread(
        variant.formula,
        fmt::format("reference/{}/{} '{}'", lab.id,
                    variant.of_golden ? "golden.cpp, variant" : "misreadings.cpp, misreading",
                    variant.id),
        lab, *data.spec, data.inputs);
    if (lab.program) widen_bounds(lab, computed_);
    return;
  }
  for (const std::string& name : comparable_outputs(lab)) {
    if (Rule rule = variant.rule(shape_of(lab, parameter_of(lab, name), data.spec->data.dims))) {
      rules_.emplace(name, std::move(rule));
    }
  }
}

VariantOutput VariantResult::of(const std::string& output) const {
  const Expected& right = data_.expected.at(output);
  if (!general_) return {right, &computed_.at(output), nullptr};
  const auto rule = rules_.find(output);
  return {right, nullptr, rule == rules_.end() ? nullptr : &rule->second};
}

std::size_t VariantResult::elements() const {
  std::size_t sum = 0;
  for (const auto& [name, expected] : computed_) sum += expected.count();
  return sum;
}

Left VariantOutput::at(std::size_t i) const {
  if (rule_ != nullptr) return (*rule_)(i);
  const bool is_any = is_formula_ && is_float(own_.type) && own_.bound[i] == kAnything;
  return is_any ? Left{.kind = Left::Kind::any} : Left{.from = i};
}

double VariantOutput::number(std::size_t i) const {
  const Left left = at(i);
  if (left.kind != Left::Kind::value) return 0;
  const double from =
      is_float(own_.type) ? own_.want[left.from] : static_cast<double>(own_.exact[left.from]);
  return from * left.factor;
}

bool VariantOutput::differs(std::size_t i) const {
  const Left left = at(i);
  if (left.kind == Left::Kind::any) return false;
  if (left.kind == Left::Kind::blank) return true;
  if (!is_float(right_.type)) {
    return static_cast<double>(own_.exact[left.from]) * left.factor !=
           static_cast<double>(right_.exact[i]);
  }
  return are_apart(own_.want[left.from] * left.factor,
                   own_.bound[left.from] * std::abs(left.factor), right_.want[i], right_.bound[i]);
}

}  // namespace warpgrade
