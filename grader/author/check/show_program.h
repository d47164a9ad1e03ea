#pragma once

#include <filesystem>
#include <string>

#include "grader/core/error.h"

namespace warpgrade {

struct ShowRequest {
  std::string lab;
  std::string name;  // of a wrong program; empty: all, into a folder
  std::filesystem::path into;  // writes <name>.cu there; empty: prints it
  bool diff = false;  // prints what differs from the program it is made from
};

/// Prints or writes wrong programs of a lab, each whole.
/// @throws UsageError, LabError, EnvironmentError
[[nodiscard]] ExitCode show_program(const ShowRequest& request);

}  // namespace warpgrade
