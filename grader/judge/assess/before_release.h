#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/record/evidence/evidence.h"
#include "grader/record/evidence/explanation.h"
#include "grader/record/grade/grade.h"
#include "grader/run/session/lab_session.h"

namespace warpgrade {

/// Runs of hidden cases that may be shown.
struct PublicRuns {
  std::vector<CaseOutcome> cases;  // that are right
  std::map<std::string, ReferenceCost> costs = {};  // of the reference in these cases
  bool own = false;  // these are the cases' regular runs: there is no secret
};

/// Names of hidden cases whose counters decide items.
[[nodiscard]] std::vector<std::string> counted_hidden(const Lab& lab);

/// Runs the hidden cases whose counters a grade shows (of the performance item and of concept
/// checks) on public data, because results with the secret are not shown. Cases that are not right
/// are left out.
///
/// @param ran    the submission's cases; without a secret these already used public data
/// @param known  such runs that can be reused
[[nodiscard]] PublicRuns public_runs(LabSession& session, const BuildResult& build,
                                     const std::vector<CaseOutcome>& ran, const Secret& secret,
                                     const std::filesystem::path& scratch,
                                     const std::vector<CaseOutcome>& known = {});

/// What may be shown before the release: items, findings and the summary, made by the same rules as
/// the grade's, but from visible cases and `public_runs` only.
///
/// @param all     evidence of all cases
/// @param items   made from it; their points and statuses are kept
/// @param open    public_runs()
/// @param explanation  of the outputs; left out if it was made from hidden cases
[[nodiscard]] BeforeRelease before_release(
    const Evidence& all, const std::vector<Item>& items, PublicRuns open,
    const std::vector<SourceFile>& sources,
    const std::optional<Explanation>& explanation = std::nullopt);

}  // namespace warpgrade
