#pragma once

#include <vector>

#include "grader/record/grade/grade.h"

namespace warpgrade {

/// A finding and, for a line that both reads and writes out of bounds, the other finding with the
/// same cause; shown as one.
struct ShownFinding {
  const ReportedFinding* first = nullptr;
  const ReportedFinding* other = nullptr;  // null for most
};

/// In the order of findings_in_order(); the second of a pair is merged into the first.
[[nodiscard]] std::vector<ShownFinding> findings_to_show(const Grade& grade);

}  // namespace warpgrade
