#pragma once

#include <filesystem>

#include "grader/core/file_lock.h"

namespace warpgrade {

/// Locks a results folder for this process, because two graders would overwrite each other's class
/// tables. Removes what a killed grader has left there and in the temporary folder.
///
/// @param wait  until another grader has ended
/// @throws UsageError        if another grader holds it
/// @throws Interrupted       while it waits
/// @throws EnvironmentError  if it cannot be written
[[nodiscard]] FileLock lock_results(const std::filesystem::path& out, bool wait = false);

}  // namespace warpgrade
