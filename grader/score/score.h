#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/assess/case_outcome.h"
#include "grader/assess/lab_session.h"
#include "grader/grade/grade.h"
#include "grader/timing/measure.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// What the items of a grade are decided from.
struct Evidence {
  const Lab* lab = nullptr;
  std::string build_problem;  // why nothing could be run, one sentence; empty if it was built
  std::vector<CaseOutcome> cases;  // in the lab's order; empty if it was not built
  std::vector<ReportedFinding> findings;  // of all cases, folded
  std::map<std::string, ReferenceCost> references;  // by the case's name, where known
  std::optional<Measurement> measured;  // on a GPU, of a submission that is right
  std::vector<RungCost> ladder = {};  // of the lab, where known
  bool emulated = true;  // the emulator ran: safety, concepts and modelled cost can be told

  [[nodiscard]] const CaseOutcome* find_case(const std::string& name) const;
};

/// Findings of all cases; equal ones (kind, kernel, file and line) become one.
[[nodiscard]] std::vector<ReportedFinding> fold_findings(const std::vector<CaseOutcome>& cases);

/// The rubric's items, in its order; their points sum to the lab's.
[[nodiscard]] std::vector<Item> score_items(const Evidence& evidence);

/// The submission's cost against the reference's, measured or else modelled; nothing where one of
/// them is unknown.
[[nodiscard]] std::optional<Timing> timing_of(const Evidence& evidence);

/// The points of the best tier that is reached.
[[nodiscard]] double performance_points(const Timing& timing);

}  // namespace warpgrade
