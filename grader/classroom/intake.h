#pragma once

#include <string>
#include <vector>

#include "grader/classroom/grade_class.h"
#include "grader/course/submission_log.h"
#include "grader/submission/layout.h"

namespace warpgrade {

/// What came in, and under whose rules it is graded.
struct Intake {
  Course course;
  SubmittedTable times;
  Listing listing;
  std::vector<std::string> notes;  // for stderr, one line each
  std::optional<Instant> submitted_at;  // of everything, as the command line says

  [[nodiscard]] const std::vector<StudentEntry>& students() const {
    return listing.content.students;
  }
  /// How one attempt came in.
  [[nodiscard]] SubmissionRecord record(const StudentEntry& last, const StudentEntry& attempt,
                                        const Lab& lab) const;
  /// Every attempt of every student at these labs, where there is something for the lab.
  [[nodiscard]] SubmissionLog log(const std::vector<const Lab*>& labs) const;
};

/// Reads the course file and lists the submissions; students get the names that the roster has for
/// them.
///
/// @param known_labs  ids that the course file may plan
/// @throws UsageError, LabError  naming what is wrong; nothing has been graded by then
[[nodiscard]] Intake take_in(const ClassOptions& options,
                             const std::vector<std::string>& known_labs);

}  // namespace warpgrade
