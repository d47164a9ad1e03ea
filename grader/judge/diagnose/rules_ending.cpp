#include <fmt/core.h>

#include <algorithm>

#include "grader/judge/diagnose/lab_clue.h"
#include "grader/judge/diagnose/rules.h"
#include "grader/judge/diagnose/sizes.h"

namespace warpgrade::rules {
namespace {

using warpsim::FindingKind;

}  // namespace

Result does_not_build(const Clues& clues) {
  if (clues.evidence().build_problem.empty()) {
    return std::nullopt;
  }
  return Diagnosis{fmt::format("Fix the build first: {}.", clues.evidence().build_problem), ""};
}

Result our_fault(const Clues& clues) {
  const CaseOutcome* c = clues.first(CaseVerdict::error);
  if (c == nullptr) {
    const std::optional<HiddenPart>& hidden = clues.evidence().hidden;
    return hidden && hidden->error
               ? Result(
                     {"Internal error of the grader on a hidden case; no action needed from you.",
                      ""})
               : std::nullopt;
  }
  return Diagnosis{
      fmt::format("Internal error of the grader; no action needed from you. {}", c->report.message),
      ""};
}

/// The emulator lacks a feature, and everything that it could run is right.
Result not_assessed(const Clues& clues) {
  const CaseOutcome* c = clues.first(CaseVerdict::not_assessed);
  if (c == nullptr) {
    return std::nullopt;
  }
  for (const CaseOutcome& other : clues.evidence().cases) {
    const CaseVerdict verdict = other.report.verdict;
    if (verdict != CaseVerdict::passed && verdict != CaseVerdict::not_assessed) {
      return std::nullopt;
    }
  }
  return Diagnosis{
      fmt::format("Case \"{}\" could not be assessed here; no action needed from you. {}",
                  c->report.name, c->report.message),
      ""};
}

/// Every case is right in a process of its own, so patterns of the case do not explain the failure.
Result fails_as_second_call(const Clues& clues) {
  const std::vector<CaseOutcome>& cases = clues.evidence().cases;
  const auto second = std::find_if(cases.begin(), cases.end(),
                                   [](const CaseOutcome& c) { return c.fails_as_second_call; });
  if (second == cases.end()) {
    return std::nullopt;
  }
  // A case that fails alone says more, and may be the reason.
  const bool other = std::any_of(cases.begin(), cases.end(), [](const CaseOutcome& c) {
    return !c.fails_as_second_call && c.report.verdict == CaseVerdict::wrong;
  });
  if (other) {
    return std::nullopt;
  }
  // A pending error of the previous call was left unchecked.
  const bool pending = second->report.verdict == CaseVerdict::cuda_error;
  return Diagnosis{fmt::format("Case \"{}\": {}", second->report.name, second->report.message),
                   pending ? "P41" : ""};
}

/// Programs also end when a call has failed; what a kernel did then says why.
Result ends_the_program(const Clues& clues) {
  const std::vector<ReportedFinding>& findings = clues.evidence().findings;
  if (std::any_of(findings.begin(), findings.end(),
                  [](const ReportedFinding& f) { return f.is_error() && !f.is_tidiness(); })) {
    return std::nullopt;
  }
  for (const CaseOutcome& c : clues.evidence().cases) {
    if (c.ended_early) {
      return Diagnosis{c.report.message, ""};
    }
  }
  return std::nullopt;
}

Result never_ends(const Clues& clues) {
  const CaseOutcome* c = clues.first(CaseVerdict::never_ends);
  if (c == nullptr) {
    return std::nullopt;
  }
  const char* says =
      c->slow ? "The program is far too slow." : "Find the loop that does not terminate.";
  return Diagnosis{fmt::format("{} Case \"{}\": {}", says, c->report.name, c->report.message),
                   c->pitfall};
}

Result clue_on_endless(const Clues& clues) {
  return find_lab_clue(clues, [](const Clue& clue) {
    const warpsim::FindingInfo* kind = warpsim::find_finding_kind(clue.finding);
    return kind != nullptr && kind->topic == warpsim::FindingTopic::endless;
  });
}

/// P40, P1: seen by the harness itself.
Result breaks_the_contract(const Clues& clues) {
  const CaseOutcome* c = clues.first(CaseVerdict::broke_contract);
  if (c == nullptr) {
    return std::nullopt;
  }
  return Diagnosis{fmt::format("Case \"{}\": {}", c->report.name, c->report.message), c->pitfall};
}

Result no_kernel(const Clues& clues) {
  // A program that was stopped before its first launch has another mistake.
  const bool all_wrong = std::none_of(
      clues.evidence().cases.begin(), clues.evidence().cases.end(), [](const CaseOutcome& c) {
        return (c.report.verdict == CaseVerdict::passed && c.report.elements > 0) ||
               c.report.verdict == CaseVerdict::crashed ||
               c.report.verdict == CaseVerdict::cuda_error ||
               c.report.verdict == CaseVerdict::never_ends;
      });
  if (clues.any_kernel() || !clues.any_report() || !all_wrong) {
    return std::nullopt;
  }
  return Diagnosis{"No kernel is launched yet; do that next.", ""};
}

Result failed_case(const Clues& clues) {
  for (const CaseVerdict verdict : {CaseVerdict::crashed, CaseVerdict::cuda_error,
                                    CaseVerdict::broke_contract, CaseVerdict::wrong}) {
    if (const CaseOutcome* c = clues.first(verdict)) {
      const std::string setting = setting_that_fails(clues);
      return Diagnosis{fmt::format("Case \"{}\": {}{}{}", c->report.name, c->report.message,
                                   setting.empty() ? "" : " ", setting),
                       c->pitfall};
    }
  }
  return std::nullopt;
}

/// P39 is the most common reason; a race found by the emulator has been reported before.
Result nondeterministic(const Clues& clues) {
  const CaseOutcome* c = clues.first_pattern("nondeterministic");
  if (c == nullptr) {
    return std::nullopt;
  }
  return Diagnosis{fmt::format("Case \"{}\": {}", c->report.name, c->report.message), "P39"};
}

}  // namespace warpgrade::rules
