#include "grader/diagnose/lab_clue.h"

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "grader/score/formula.h"

namespace warpgrade {
namespace {

/// One position of each block is also a period; lab.toml may name either.
bool is_pattern(const CaseOutcome& c, const std::string& pattern) {
  return c.report.verdict == CaseVerdict::wrong &&
         (c.report.pattern == pattern ||
          (pattern == "periodic" && c.report.pattern == "block-multiples"));
}

/// In one of the cases that the clue says must fail; others may have it by chance, as a single
/// element that is zero has.
bool has_pattern(const Clues& clues, const Clue& clue) {
  const Evidence& evidence = clues.evidence();
  if (clue.fails.empty()) {
    return std::any_of(evidence.cases.begin(), evidence.cases.end(),
                       [&](const CaseOutcome& c) { return is_pattern(c, clue.pattern); });
  }
  return std::any_of(clue.fails.begin(), clue.fails.end(), [&](const std::string& name) {
    const CaseOutcome* c = evidence.find_case(name);
    return c != nullptr && is_pattern(*c, clue.pattern);
  });
}

/// Whether all these cases ran, and passed or not as asked.
bool all_are(const Clues& clues, const std::vector<std::string>& names, bool passed) {
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    const CaseOutcome* c = clues.evidence().find_case(name);
    return c != nullptr && c->report.verdict != CaseVerdict::error &&
           c->report.verdict != CaseVerdict::not_run &&
           (c->report.verdict == CaseVerdict::passed) == passed;
  });
}

/// Without kernels there is nothing that the condition could be about; where it divides by a count
/// of zero, it is about something that this submission does not do.
bool condition_holds(const Clues& clues, const Expression& when) {
  const Evidence& evidence = clues.evidence();
  const CaseOutcome* c = evidence.find_case(evidence.lab->performance_case);
  if (c == nullptr || !c->emulator || c->emulator->kernels.empty()) {
    return false;
  }
  try {
    return evaluate_formula(when, c->spec->data.dims, [&](const CounterName& counter) {
             return counter_value(counter, c->emulator->kernels);
           }) != 0;
  } catch (const ExpressionError&) {
    return false;
  }
}

bool source_matches(const Clues& clues, const std::string& regex) {
  try {
    return clues.source_matches(regex.c_str());
  } catch (const std::regex_error&) {  // of a line that is too much for the expression
    return false;
  }
}

bool holds(const Clues& clues, const Clue& clue) {
  return (clue.pattern.empty() || has_pattern(clues, clue)) && all_are(clues, clue.fails, false) &&
         all_are(clues, clue.passes, true) &&
         (clue.finding.empty() || clues.finding(clue.finding) != nullptr) &&
         (clue.no_finding.empty() || clues.finding(clue.no_finding) == nullptr) &&
         (!clue.when || condition_holds(clues, *clue.when)) &&
         (clue.source.empty() || source_matches(clues, clue.source)) &&
         (clue.lacks.empty() || !source_matches(clues, clue.lacks));
}

}  // namespace

std::optional<Diagnosis> find_lab_clue(const Clues& clues,
                                       const std::function<bool(const Clue&)>& asked) {
  for (const Clue& clue : clues.evidence().lab->clues) {
    if (asked(clue) && holds(clues, clue)) {
      return Diagnosis{clue.says, clue.pitfall};
    }
  }
  return std::nullopt;
}

bool tells_what_fails(const Clue& clue) {
  return !clue.pattern.empty() || !clue.fails.empty() || !clue.finding.empty() ||
         !clue.source.empty();
}

}  // namespace warpgrade
