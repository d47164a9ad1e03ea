#pragma once

#include <string>
#include <vector>

#include "grader/course/submission_log.h"
#include "grader/grade_class/grade_class.h"
#include "grader/submission/guess.h"
#include "grader/submission/layout.h"

namespace warpgrade {

/// The submissions, and the course's rules for grading them.
struct Intake {
  Course course;
  SubmittedTable times;
  Listing listing;
  std::vector<std::string> notes;  // for stderr, one line each
  std::vector<Unclear> unclear;  // needs manual assignment
  std::optional<Instant> submitted_at;  // of everything, from the command line

  [[nodiscard]] const std::vector<StudentEntry>& students() const {
    return listing.content.students;
  }
  /// Finds files with wrong names; see guess.h.
  void guess(const GuessScope& scope);
  /// The record of one attempt.
  [[nodiscard]] SubmissionRecord record(const StudentEntry& last, const StudentEntry& attempt,
                                        const Lab& lab) const;
  /// Every attempt of every student with work for these labs.
  [[nodiscard]] SubmissionLog log(const std::vector<const Lab*>& labs) const;
};

/// Reads the course file and lists the submissions; students get their names in the roster. The
/// owner of work is never guessed: what the roster does not determine is in `unclear`.
///
/// @param known_labs  ids that the course file may contain
/// @throws UsageError, LabError  says what is wrong; before anything is graded
[[nodiscard]] Intake take_in(const ClassOptions& options,
                             const std::vector<std::string>& known_labs);

}  // namespace warpgrade
