#pragma once

#include <string>
#include <vector>

#include "grader/class/grading/grade_class.h"
#include "grader/class/grading/mapping.h"
#include "grader/submit/course/submission_log.h"
#include "grader/submit/submission/guess.h"
#include "grader/submit/submission/layout.h"

namespace warpgrade {

/// The submissions, and the course's rules for grading them.
struct Intake {
  Course course;
  SubmittedTable times;
  Mapping mapping;  // what a person has decided about files
  Listing listing;
  std::vector<std::string> notes;  // for stderr, one line each
  std::vector<Unclear> unclear;  // needs manual assignment
  std::optional<Instant> submitted_at;  // of everything, from the command line
  bool was_copied = false;  // the files have the times at which the class was copied

  [[nodiscard]] const std::vector<StudentEntry>& students() const {
    return listing.content.students;
  }
  /// A student by name; null if nothing came in.
  [[nodiscard]] const StudentEntry* find(std::string_view student) const;
  /// Finds files with wrong names; see guess.h.
  void guess(const GuessScope& scope);
  /// The record of one attempt.
  [[nodiscard]] SubmissionRecord record(const StudentEntry& last, const StudentEntry& attempt,
                                        const Lab& lab) const;
  /// A student's attempts at a lab that count, in order: all, or as many as the course allows.
  [[nodiscard]] std::vector<const StudentEntry*> attempts(const StudentEntry& student,
                                                          const Lab& lab) const;
  /// The student whose work a group submits for a lab: the member with the newest. The student
  /// itself without a group, or if nobody of the group submitted anything.
  [[nodiscard]] const StudentEntry& submitter(const StudentEntry& student, const Lab& lab) const;
  /// The other students who get this student's grade.
  [[nodiscard]] std::vector<std::string> other_members(const StudentEntry& student,
                                                       const Lab& lab) const;
  /// Every attempt of every student with work for these labs, or whose group has some.
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
