#pragma once

#include <filesystem>
#include <string>

#include "grader/core/error.h"

namespace warpgrade {

/// Counts what each stage of a lab's ladder costs in the performance case on the emulator, and
/// writes reference/<lab>/ladder.json. All labs where `id` is empty.
///
/// @returns passed, or not_yet when a stage does not run or is not right
/// @throws UsageError, LabError, EnvironmentError, Interrupted
[[nodiscard]] ExitCode count_ladders(const std::string& id);

/// Prints what each rung predicts for the next one beside what that one costs, from
/// reference/<lab>/ladder.json.
/// @param into  the page whose table is to be written; empty: none
/// @throws UsageError, LabError, EnvironmentError
[[nodiscard]] ExitCode predict_ladders(const std::string& id, const std::filesystem::path& into);

}  // namespace warpgrade
