#pragma once

#include <set>
#include <string>

#include "grader/record/grade/grade.h"
#include "grader/show/report/line_counters.h"
#include "grader/show/report/page.h"

namespace warpgrade {

/// A location in the student's source: a finding's line or, for a race, the line of the other
/// access.
struct FindingPlace {
  std::string file;
  std::uint32_t line = 0;
  std::string who;  // which thread does what
};
[[nodiscard]] std::vector<FindingPlace> places_of(const ReportedFinding& finding);

/// A few lines around a place, as a list of {no, text, marked}; empty if the file has no such line.
[[nodiscard]] PageData excerpt(const Grade& grade, const FindingPlace& place);

/// Every file, line by line, with counters, heat, marks of findings and, if the kernels have it,
/// the PTX of each line. Truncated if the page would become too large.
[[nodiscard]] PageData source_files(const Grade& grade);

}  // namespace warpgrade
