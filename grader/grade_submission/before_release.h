#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/evidence/evidence.h"
#include "grader/grade_record/grade.h"
#include "grader/session/lab_session.h"

namespace warpgrade {

/// Runs of hidden cases that may be shown.
struct PublicRuns {
  std::vector<CaseOutcome> cases;  // that are right
  std::map<std::string, ReferenceCost> costs = {};  // of the reference in them
  bool own = false;  // the cases' own runs: there is no secret
};

/// Hidden cases whose counters items are decided by, by name.
[[nodiscard]] std::vector<std::string> counted_hidden(const Lab& lab);

/// Runs the hidden cases whose counters a grade shows (that of the performance item and of concept
/// checks) on public data: what was run with the secret is not shown, and with these there is
/// something to learn from. Those that are not right are left out.
///
/// @param ran    the submission's cases; without a secret these are such runs already
/// @param known  such runs that need not be made again
[[nodiscard]] PublicRuns public_runs(LabSession& session, const BuildResult& build,
                                     const std::vector<CaseOutcome>& ran, const Secret& secret,
                                     const std::filesystem::path& scratch,
                                     const std::vector<CaseOutcome>& known = {});

/// What may be said before the release: items, findings and the sentence to start with, made by the
/// same rules as the grade's, but from visible cases and `public_runs` only.
///
/// @param all     evidence of all cases
/// @param items   what was made of it; their points and statuses are kept
/// @param open    public_runs()
[[nodiscard]] BeforeRelease before_release(const Evidence& all, const std::vector<Item>& items,
                                           PublicRuns open, const std::vector<SourceFile>& sources);

/// A wrong case or a slow kernel without a cause of its own has the one that was diagnosed.
void name_causes(const std::string& pitfall, std::vector<Item>& items);

}  // namespace warpgrade
