#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/record/evidence/case_outcome.h"
#include "grader/record/evidence/measurement.h"
#include "grader/record/evidence/reference_cost.h"
#include "grader/record/grade/grade.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// What students may know of hidden cases that are left out of the evidence: only what a grade
/// shows anyway.
struct HiddenPart {
  double correctness_share = 1;  // of all cases
  bool fails = false;  // at least one is not right
  bool stopped = false;  // at least one by the clock
  bool error = false;  // at least one could not be run because of an internal error
  /// Of findings that count and occur only there.
  std::vector<const warpsim::FindingInfo*> kinds = {};
};

/// Everything that the items of a grade are decided from.
struct Evidence {
  const Lab* lab = nullptr;
  std::string build_problem;  // why the build failed, one sentence; empty if it succeeded
  std::vector<CaseOutcome> cases;  // in the lab's order; empty if it was not built
  std::vector<ReportedFinding> findings;  // of all cases, merged
  std::map<std::string, ReferenceCost> references;  // by the case's name, where known
  std::optional<Measurement> measured;  // on a GPU, of a submission that is right
  std::vector<RungCost> ladder = {};  // of the lab, where known
  std::optional<Cause> cause = std::nullopt;  // proven by experiments
  bool emulated = true;  // the emulator ran: safety, concepts and modelled cost can be assessed
  /// Set if hidden cases are left out; otherwise they are among `cases`.
  std::optional<HiddenPart> hidden = std::nullopt;

  [[nodiscard]] const CaseOutcome* find_case(const std::string& name) const;
};

/// Whether an extent of the case, not a setting, is 0.
[[nodiscard]] bool has_nothing_to_do(const CaseOutcome& outcome);

/// Findings of all cases; equal ones (kind, kernel, file and line) become one.
[[nodiscard]] std::vector<ReportedFinding> fold_findings(const std::vector<CaseOutcome>& cases);

/// "read outside an array in global memory and memory that is never freed"
[[nodiscard]] std::string titles(const std::vector<const warpsim::FindingInfo*>& kinds);

}  // namespace warpgrade
