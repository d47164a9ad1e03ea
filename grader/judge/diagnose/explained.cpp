#include "grader/judge/diagnose/explained.h"

#include <algorithm>

#include "grader/judge/diagnose/rules.h"

namespace warpgrade {

Strength strength_of(const Explanation& explanation) {
  return explanation.of_lab      ? Strength::of_lab
         : explanation.of_golden ? Strength::of_golden
         : explanation.of_inputs ? Strength::of_inputs
                                 : Strength::general;
}

namespace rules {
namespace {

/// Whether a finding in one of the explained cases can change results: it precedes the outputs that
/// it leads to.
bool has_cause(const Clues& clues, const Explanation& explanation) {
  using warpsim::FindingTopic;
  const auto& findings = clues.evidence().findings;
  return std::any_of(findings.begin(), findings.end(), [&](const ReportedFinding& f) {
    const bool changes_results =
        f.is_about(FindingTopic::address) || f.is_about(FindingTopic::race) ||
        f.is_about(FindingTopic::waiting) || f.is_about(FindingTopic::unwritten);
    return f.is_error() && changes_results &&
           std::any_of(f.cases.begin(), f.cases.end(), [&](const std::string& name) {
             return std::find(explanation.cases.begin(), explanation.cases.end(), name) !=
                    explanation.cases.end();
           });
  });
}

}  // namespace

std::optional<Diagnosis> explained(const Clues& clues,
                                   const std::optional<Explanation>& explanation,
                                   Strength strength) {
  if (!explanation || strength_of(*explanation) != strength || has_cause(clues, *explanation)) {
    return std::nullopt;
  }
  Diagnosis diagnosis{explanation->message, explanation->pitfall};
  const bool is_proof = strength == Strength::of_lab || strength == Strength::of_golden;
  if (is_proof && diagnosis.pitfall.empty()) {
    // The formula says what is computed, and the line that the lab knows says why.
    if (const std::optional<Diagnosis> why = clue_in_source(clues); why && !why->pitfall.empty()) {
      diagnosis.summary += " " + why->summary;
      diagnosis.pitfall = why->pitfall;
    }
  }
  return diagnosis;
}

}  // namespace rules
}  // namespace warpgrade
