#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/grade_record/student_view.h"

namespace warpgrade {

/// One of several attempts at a lab, as a line of the page's history.
struct Attempt {
  int number = 1;
  std::string when;  // it was submitted, or graded where that is not known
  bool counts = false;  // the page is about this one
  bool has_score = false;  // else `note` says why not
  double score = 0;
  double max_score = 0;
  double penalty = 0;  // for lateness
  std::size_t cases_right = 0;  // of those that may be shown
  std::size_t cases = 0;
  std::string note;  // what was to be fixed first
};

/// What a shown grade says of itself; `when`, `counts` and `penalty` are left to the caller.
[[nodiscard]] Attempt attempt_of(const StudentView& shown);

}  // namespace warpgrade
