#pragma once

#include <string>
#include <vector>

#include "grader/course/submission_log.h"
#include "grader/grade_class/grade_class.h"
#include "grader/submission/layout.h"

namespace warpgrade {

/// What came in, and under whose rules it is graded.
struct Intake {
  Course course;
  SubmittedTable times;
  Listing listing;
  std::vector<std::string> notes;  // for stderr, one line each
  std::vector<Unclear> unclear;  // what a person has to place
  std::optional<Instant> submitted_at;  // of everything, as the command line says

  [[nodiscard]] const std::vector<StudentEntry>& students() const {
    return listing.content.students;
  }
  /// Takes files that are not called as they should be: guess.h.
  /// @param labs       that are graded
  /// @param ids        of all labs
  /// @param one_asked  all work is said to be for the one lab
  void guess(const std::vector<const Lab*>& labs, const std::vector<std::string>& ids,
             bool one_asked);
  /// How one attempt came in.
  [[nodiscard]] SubmissionRecord record(const StudentEntry& last, const StudentEntry& attempt,
                                        const Lab& lab) const;
  /// Every attempt of every student at these labs, where there is something for the lab.
  [[nodiscard]] SubmissionLog log(const std::vector<const Lab*>& labs) const;
};

/// The list that ends every grading: what was not understood, each with how to say it.
[[nodiscard]] std::string unclear_text(const std::vector<Unclear>& unclear);

/// Reads the course file and lists the submissions; students get the names that the roster has for
/// them. Whose work something is, is never guessed: what the roster does not tell is in `unclear`.
///
/// @param known_labs  ids that the course file may plan
/// @throws UsageError, LabError  naming what is wrong; nothing has been graded by then
[[nodiscard]] Intake take_in(const ClassOptions& options,
                             const std::vector<std::string>& known_labs);

}  // namespace warpgrade
