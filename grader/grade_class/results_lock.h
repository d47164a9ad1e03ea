#pragma once

#include <filesystem>

#include "grader/core/file_lock.h"

namespace warpgrade {

/// Takes a folder of results for this process: two graders would write over each other's class
/// tables. Removes what a grader that was killed has left there and in the system's place for
/// temporary files.
///
/// @throws UsageError        if another grader has it
/// @throws EnvironmentError  if it cannot be written
[[nodiscard]] FileLock lock_results(const std::filesystem::path& out);

}  // namespace warpgrade
