#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/core/error.h"
#include "grader/core/installation.h"
#include "harness/lab/lab.h"

namespace warpgrade {

struct ServeOptions {
  std::uint16_t port = 8475;  // 0: any free one
  std::filesystem::path folder;  // of the database
  std::size_t jobs = 1;  // checks that run at the same time
  std::vector<std::string> check_options;  // of `warpgrade check`
};

/// The labs in a browser, for one person on this machine, until the user interrupts it. Prints the
/// URL to open.
/// @throws UsageError        if the port or the folder is in use
/// @throws EnvironmentError  if the folder cannot be written, or the database not be used
ExitCode serve(const ServeOptions& options, const Installation& installation,
               const std::vector<Lab>& labs);

}  // namespace warpgrade
