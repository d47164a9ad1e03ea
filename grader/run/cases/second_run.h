#pragma once

#include <functional>

#include "grader/record/evidence/case_outcome.h"
#include "harness/case/case.h"

namespace warpgrade {

/// Whether a wrong case should run again with another schedule: its pattern says nothing specific,
/// the order of the threads could matter (a race was found, or atomics are used and no finding
/// explains the result), and the run is short. Depends on counts only, never on time.
[[nodiscard]] bool may_depend_on_schedule(const CaseOutcome& outcome);

/// Compares the outputs of two runs of one case; if they differ, sets the pattern
/// "nondeterministic", its detail and the message.
void compare_runs(const PreparedCase& first, const PreparedCase& second, CaseOutcome& outcome);

}  // namespace warpgrade
