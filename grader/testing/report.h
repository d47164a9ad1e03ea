#pragma once

#include <string>

#include "grader/record/grade/grade.h"
#include "grader/record/grade/student_view.h"
#include "harness/lab/lab.h"

// Grades for tests of reports.

namespace warpgrade::testing {

/// The test lab with its second case hidden, under a name that occurs nowhere else on a page.
[[nodiscard]] Lab lab_with_hidden();

/// A student's view before the release, and after it.
[[nodiscard]] StudentView before(const Grade& grade);
[[nodiscard]] StudentView shown(const Grade& grade);

/// A grade with a wrong visible case, a wrong hidden one and a finding on line 7.
[[nodiscard]] Grade wrong_grade(const Lab& lab);

/// terminal_feedback() on 80 columns without colour.
[[nodiscard]] std::string terminal_text(const StudentView& seen);

/// Checks that a page loads nothing from elsewhere, by its text.
void check_no_requests(const std::string& page);

[[nodiscard]] bool contains(const std::string& text, const std::string& part);

}  // namespace warpgrade::testing
