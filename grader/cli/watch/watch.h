#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/core/error.h"

namespace warpgrade {

struct WatchRequest {
  std::vector<std::string> command;  // checks the work once and writes its grade to `grade`
  std::filesystem::path work;  // as for `warpgrade check`
  std::filesystem::path grade;
};

/// Runs the command, and again whenever the work's files change, until the user interrupts. A run
/// whose files change before it ends is stopped and started again. After each it prints what
/// changed since the last one.
/// @returns the exit code of the last run that ended
/// @throws EnvironmentError  if the command cannot be started
[[nodiscard]] ExitCode watch(const WatchRequest& request);

}  // namespace warpgrade
