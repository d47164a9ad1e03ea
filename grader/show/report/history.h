#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/record/grade/student_view.h"

namespace warpgrade {

/// One of several attempts at a lab: a row of the page's history.
struct Attempt {
  int number = 1;
  std::string when;  // submission time, or grading time if that is unknown
  bool counts = false;  // the page is about this one
  bool has_score = false;  // otherwise `note` says why not
  double score = 0;
  double max_score = 0;
  double penalty = 0;  // for lateness
  std::size_t cases_right = 0;  // among cases that may be shown
  std::size_t cases = 0;
  std::string note;  // the first thing to fix
};

/// The attempt of a shown grade; the caller sets `when`, `counts` and `penalty`.
[[nodiscard]] Attempt attempt_of(const StudentView& shown);

}  // namespace warpgrade
