#pragma once

#include <filesystem>
#include <functional>

#include "grader/evidence/case_outcome.h"
#include "harness/case/case.h"

namespace warpgrade {

/// Whether a wrong case is worth a run with another schedule: nothing more specific is known of
/// where it is wrong, the order of the threads could matter (a race was found, or atomics are used
/// and no finding explains it), and the run is short. Asks for counts only, never for time.
[[nodiscard]] bool may_depend_on_schedule(const CaseOutcome& outcome);

/// Compares the outputs of two runs of one case, and if they differ says so: as the pattern
/// "nondeterministic", in its detail and in the message.
/// @param first, second  folders where the worker left the outputs
void compare_runs(const CaseData& data, const std::filesystem::path& first,
                  const std::filesystem::path& second, CaseOutcome& outcome);

}  // namespace warpgrade
