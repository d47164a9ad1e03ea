#pragma once

#include <set>
#include <string>

#include "grader/grade_record/grade.h"
#include "grader/report/line_counters.h"
#include "grader/report/page.h"

namespace warpgrade {

/// The places in the student's source that a finding names: its own line and, for a race, the line
/// of the other access.
struct FindingPlace {
  std::string file;
  std::uint32_t line = 0;
  std::string who;  // which thread does what there
};
[[nodiscard]] std::vector<FindingPlace> places_of(const ReportedFinding& finding);

/// A few lines around a place, as a list of {no, text, marked}; empty if the file has no such line.
[[nodiscard]] PageData excerpt(const Grade& grade, const FindingPlace& place);

/// Every file, line by line, with counters, heat and marks of findings. Cut where a page would
/// become too large for its readers.
[[nodiscard]] PageData source_files(const Grade& grade);

}  // namespace warpgrade
