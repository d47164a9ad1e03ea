#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "grader/build/build.h"
#include "grader/evidence/case_outcome.h"
#include "grader/experiment/trials.h"
#include "grader/grade_record/grade.h"
#include "grader/session/lab_session.h"

namespace warpgrade {

/// Looks for the one change of a run after which failing cases are right: the cause of the failure,
/// shown and not guessed. Visible cases are asked; where all of these are right, hidden ones.
/// Cases that race but have correct results count as failing if no other fails.
///
/// Nothing is returned where no change alone makes cases right that are worth at least half of the
/// points that were lost, or where the budget ends before that is known.
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
