#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/core/installation.h"

namespace warpgrade {

/// What became of the grades of a folder that another one took over.
struct Adopted {
  std::size_t grades = 0;
  /// Whose attempts have gone on there: the grade was kept as that of an earlier attempt.
  std::vector<std::string> earlier;
};

/// Makes the grades in a results folder those of another one, with the times of submission and the
/// receipts: what `warpgrade grade --no-tables` would have written there. Waits while a grader uses
/// `out`. Stopped at any moment, it can be done again.
/// @param course  course.toml, for the students' pages
/// @throws EnvironmentError      if something cannot be written
/// @throws UsageError, LabError  if a grade or the course file is invalid
Adopted adopt_grades(const std::filesystem::path& from, const std::filesystem::path& out,
                     const std::filesystem::path& course, const Installation& installation);

}  // namespace warpgrade
