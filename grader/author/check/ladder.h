#pragma once

#include <filesystem>
#include <string>

#include "grader/core/error.h"

namespace warpgrade {

/// Counts what each stage of a lab's ladder costs in the performance case on the emulator, and
/// writes reference/<lab>/ladder.json. All labs if `id` is empty.
///
/// @returns passed, or not_yet if a stage does not run or is not right
/// @throws UsageError, LabError, EnvironmentError, Interrupted
[[nodiscard]] ExitCode count_ladders(const std::string& id);

/// Prints the predicted cost of each rung beside its actual cost, from reference/<lab>/ladder.json.
/// @param into  the page whose table is replaced; empty: none
/// @throws UsageError, LabError, EnvironmentError
[[nodiscard]] ExitCode predict_ladders(const std::string& id, const std::filesystem::path& into);

}  // namespace warpgrade
