#pragma once

#include "grader/record/grade/grade.h"

namespace warpgrade {

/// Whether a case is not right; one that could not be assessed may be right.
[[nodiscard]] bool is_wrong(const CaseReport& report);

/// The case to look at first among those that are not right: one with the finding to fix first,
/// then one with a specific pattern of wrong elements, then one that is partly right; the first of
/// the lab among equals. Null if all are right.
[[nodiscard]] const CaseReport* most_telling_case(const Grade& grade);

}  // namespace warpgrade
