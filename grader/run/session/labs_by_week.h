#pragma once

#include <vector>

#include "grader/core/installation.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// All labs by the week of the course, then by id; labs without a week last.
/// @throws LabError  if a file of a lab is invalid
[[nodiscard]] std::vector<Lab> labs_by_week(const Installation& installation);

}  // namespace warpgrade
