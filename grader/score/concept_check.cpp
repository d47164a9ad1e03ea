#include "grader/score/concept_check.h"

#include <fmt/core.h>

#include <cmath>
#include <functional>

#include "harness/lab/counter_names.h"
#include "harness/lab/expression.h"

namespace warpgrade {
namespace {

/// A formula's value over the dims of a case and counters given by metric.
double evaluate(const Expression& formula, const Dims& dims,
                const std::function<double(const std::string&)>& counter) {
  return formula.evaluate([&](std::string_view name) -> double {
    if (const auto it = dims.find(std::string(name)); it != dims.end()) {
      return static_cast<double>(it->second);
    }
    if (const CounterName* known = find_counter(name)) {
      return counter(std::string(known->metric));
    }
    throw ExpressionError(fmt::format("'{}' is neither a size nor a counter", name));
  });
}

/// A count as a person writes it: 250000, or 4.03 where it is no whole number.
std::string number(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{:.4g}", value);
}

std::string limits(const ConceptCheck& check) {
  if (check.at_least <= 0) {
    return fmt::format("at most {:g} times that", check.at_most);
  }
  return fmt::format("{:g} to {:g} times that", check.at_least, check.at_most);
}

}  // namespace

Item score_concept(const Evidence& evidence, const ConceptCheck& check) {
  Item item{.id = "concept/" + check.id,
            .category = Category::concept_check,
            .title = check.title,
            .points = 0,
            .max_points = check.points,
            .status = ItemStatus::failed,
            .message = {},
            .hint = {},
            .pitfall = {}};
  const CaseOutcome* outcome = evidence.find_case(check.on);
  if (outcome == nullptr) {
    item.message = "Not counted: nothing was run.";
    return item;
  }
  if (outcome->report.verdict == CaseVerdict::error) {
    item.status = ItemStatus::error;
    item.message = fmt::format("Case \"{}\" could not be run; this is not your fault.", check.on);
    return item;
  }
  if (outcome->report.verdict != CaseVerdict::passed) {
    item.message = fmt::format("Counted only when case \"{}\" is right.", check.on);
    return item;
  }
  if (!evidence.emulated || !outcome->emulator) {
    item.status = ItemStatus::not_assessed;
    item.message = "Counters come from the emulator, which did not run; use --device emulator.";
    return item;
  }
  const Dims& dims = outcome->spec->data.dims;
  const double expected = evaluate(check.expected, dims, [](const std::string&) { return 0.0; });
  double measured = 0;
  try {
    measured = evaluate(check.measured, dims, [&](const std::string& metric) {
      return outcome->emulator->total(metric);
    });
  } catch (const ExpressionError&) {
    item.message = "The kernels did no such access, so there is nothing to count.";
    item.hint = check.hint;
    item.pitfall = check.pitfall;
    return item;
  }
  item.message = fmt::format("{} {}; the formula gives {} ({} is accepted)", number(measured),
                             check.unit, number(expected), limits(check));
  if (const auto it = evidence.references.find(check.on); it != evidence.references.end()) {
    const auto counter = [&](const std::string& metric) {
      const auto found = it->second.counters.find(metric);
      return found == it->second.counters.end() ? 0.0 : found->second;
    };
    try {
      item.message +=
          fmt::format(", the reference has {}", number(evaluate(check.measured, dims, counter)));
    } catch (const ExpressionError&) {
      // A reference that does no such access has no number to show.
    }
  }
  item.message += ".";
  if (measured >= check.at_least * expected && measured <= check.at_most * expected) {
    item.status = ItemStatus::passed;
    item.points = item.max_points;
  } else {
    item.hint = check.hint;
    item.pitfall = check.pitfall;
  }
  return item;
}

}  // namespace warpgrade
