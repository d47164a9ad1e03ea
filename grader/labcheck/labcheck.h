#pragma once

#include <string>

#include "grader/core/error.h"
#include "grader/toolchain/compiler.h"

namespace warpgrade {

/// Checks one lab, or all if `id` is empty: the sum of points, edge categories, the stub builds and
/// fails, stages are right and clean, the solution gets every point, each mutant fails as it claims
/// and the report names its pitfall, each stage is on its rung of the ladder, kernels that do
/// nothing or write zeros, a copy or one element fail every case, each concept check is failed by
/// some stage or mutant, links of the handout resolve. Prints a table per lab.
///
/// @returns passed, or not_yet if a requirement is not met
/// @throws UsageError, LabError, EnvironmentError, Interrupted
[[nodiscard]] ExitCode check_labs(const std::string& id, CompilerRequest compiler);

}  // namespace warpgrade
