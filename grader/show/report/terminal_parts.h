#pragma once

#include <string>

#include "grader/record/grade/student_view.h"
#include "grader/show/report/terminal_writer.h"

namespace warpgrade {

// Parts of terminal_feedback(), one per file.

/// terminal_cases.cpp: all cases as a table, and the details of the most informative failing one,
/// since the others usually have the same cause.
void write_cases(const StudentView& shown, Writer& out);

/// terminal_compiler.cpp: what the compiler says of files that it refuses.
/// @param folder  StudentView::folder
void write_compiler_output(const std::string& log, const std::string& folder, Writer& out);

/// terminal_findings.cpp: the first in full, all others with their location.
void write_findings(const StudentView& shown, Writer& out);

}  // namespace warpgrade
