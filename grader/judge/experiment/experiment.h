#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "grader/build/compile/build.h"
#include "grader/judge/experiment/trials.h"
#include "grader/record/evidence/case_outcome.h"
#include "grader/record/grade/grade.h"
#include "grader/run/session/lab_session.h"

namespace warpgrade {

/// Looks for a single change of a run that makes failing cases right, which proves the cause. Uses
/// visible cases or, if all of them are right, hidden ones. Cases with races but correct results
/// count as failing if no other case fails.
///
/// Returns nothing if no single change recovers at least half of the lost points, or if the budget
/// is used up first.
///
/// @param ran      all cases of the submission
/// @param secret   personal; for hidden cases
/// @param scratch  a folder for runs
[[nodiscard]] std::optional<Cause> find_cause(LabSession& session, const BuildResult& build,
                                              const std::vector<CaseOutcome>& ran,
                                              const std::vector<SourceFile>& sources,
                                              const Secret& secret,
                                              const std::filesystem::path& scratch,
                                              const TrialBudget& budget = {});

}  // namespace warpgrade
