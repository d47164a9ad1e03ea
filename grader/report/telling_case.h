#pragma once

#include "grader/grade_record/grade.h"

namespace warpgrade {

/// It ran, or should have, and is not right. What could not be assessed may be right.
[[nodiscard]] bool is_wrong(const CaseReport& report);

/// The case to look at first among those that are not right: one in which the finding was seen that
/// is to be fixed first, then one whose wrong elements have a pattern that says something, then one
/// that is right in part; of equal ones the first of the lab. Null if all are right.
[[nodiscard]] const CaseReport* most_telling_case(const Grade& grade);

}  // namespace warpgrade
