#pragma once

#include <string>

#include "grader/core/error.h"

namespace warpgrade {

/// Proves one lab, or all where `id` is empty: points sum, edge categories, the stub builds and
/// fails, stages are right and clean, the solution gets every point, each mutant fails on what it
/// names and the report names its pitfall, each stage stands on its own rung of the ladder, kernels
/// that do nothing, zeros, a copy or one element fail every case, each concept check is failed by
/// some stage or mutant, links of the handout resolve. Prints a table per lab.
///
/// @returns passed, or not_yet when something does not hold
/// @throws UsageError, LabError, EnvironmentError, Interrupted
[[nodiscard]] ExitCode check_labs(const std::string& id);

}  // namespace warpgrade
