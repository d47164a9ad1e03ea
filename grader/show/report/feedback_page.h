#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/core/installation.h"
#include "grader/record/grade/student_view.h"
#include "grader/show/report/history.h"
#include "grader/show/report/watched_case.h"
#include "grader/submit/decisions/decisions.h"

namespace warpgrade {

/// What persons say about a grade.
struct StaffView {
  std::string counts;  // "105 of 110: ...": the points that count; empty: those of the grade
  std::vector<const Decision*> decisions;  // in order of time
};

/// A student's page: one file that opens offline. Everything from a submission is escaped.
///
/// @param attempts  in order, including this one; a history is shown for two or more
/// @param installation  whose pages of docs are embedded
/// @param watched  each finding opens on the picture of it that explains it
[[nodiscard]] std::string feedback_page(const StudentView& shown,
                                        const std::vector<Attempt>& attempts,
                                        const Installation& installation,
                                        const StaffView& staff = {},
                                        const WatchedCase& watched = {});

}  // namespace warpgrade
