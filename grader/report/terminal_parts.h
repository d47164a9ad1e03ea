#pragma once

#include "grader/grade_record/student_view.h"
#include "grader/report/terminal_writer.h"

namespace warpgrade {

// Parts of terminal_feedback(), each in a file of its name.

/// terminal_cases.cpp: all cases as a table, and of the most telling one that is not right what is
/// wrong with it: mostly the others have the same cause.
void write_cases(const StudentView& shown, Writer& out);

/// terminal_findings.cpp: the first in full, all others with their place.
void write_findings(const StudentView& shown, Writer& out);

}  // namespace warpgrade
