#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/core/instant.h"
#include "grader/submit/submission/layout.h"

namespace warpgrade {

// The layout of what `warpgrade serve` received for one lab: a folder per student and attempt, and
// a table of the times.

/// The table beside the students' folders: columns student, attempt, submitted.
inline constexpr const char* kAttemptsTable = "attempts.csv";

/// One attempt as it was submitted.
struct AttemptFiles {
  std::string student;
  int attempt = 1;
  Instant submitted = {};
  std::map<std::string, std::string> files;  // by name
};

/// Writes <folder>/<student>/<attempt>/<file> and the table.
/// @throws EnvironmentError  if they cannot be written
void write_attempts(const std::filesystem::path& folder, const std::vector<AttemptFiles>& attempts);

/// @throws UsageError  if there is no table, or it is invalid or names a folder that is not there
[[nodiscard]] ClassListing list_attempts(const ListRequest& request);

}  // namespace warpgrade
