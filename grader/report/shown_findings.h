#pragma once

#include <vector>

#include "grader/grade_record/grade.h"

namespace warpgrade {

/// What is shown as one: a finding, and of a line that both reads and writes out of place the other
/// half, which has the same cause.
struct ShownFinding {
  const ReportedFinding* first = nullptr;
  const ReportedFinding* other = nullptr;  // null for most
};

/// In the order of findings_in_order(); a second half stands with the first.
[[nodiscard]] std::vector<ShownFinding> findings_to_show(const Grade& grade);

}  // namespace warpgrade
