#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/class/grading/grade_class.h"
#include "grader/class/grading/intake.h"
#include "grader/class/table/class_record.h"
#include "grader/core/installation.h"
#include "grader/run/session/lab_session.h"
#include "grader/submit/submission/submission.h"

namespace warpgrade {

/// One student's work for one lab.
struct Task {
  LabSession* session = nullptr;
  const StudentEntry* student = nullptr;  // the last attempt that counts
  std::vector<const StudentEntry*> attempts;  // at this lab that count, in order
  std::vector<std::string> members;  // other students of the group, who get the same grade
  std::string key;
  std::size_t index = 0;  // within the part, in a process that grades a part
};

/// What a student submitted, or why it cannot be read, which is neither the student's mistake nor a
/// reason to stop the class.
struct Picked {
  Submission submission;
  std::string fault;
};

[[nodiscard]] Picked pick(const StudentEntry& attempt, const Lab& lab);

/// What to grade, and the rules.
struct ClassWork {
  Intake intake;
  ClassRecord record;
  std::string secret;
  std::vector<std::unique_ptr<LabSession>> sessions;  // of the labs that are graded
  std::vector<Task> tasks;
  std::map<std::string, std::size_t> not_handed_in;  // students, by lab

  [[nodiscard]] std::vector<const Lab*> labs() const;
};

/// The submissions of a class, and the labs that they are for.
struct ClassIntake {
  Intake intake;
  std::vector<Lab> labs;  // of the class, some perhaps without submissions
};

/// Reads the submissions and finds the files of each lab. Nothing is compiled or run.
/// @throws UsageError, LabError
[[nodiscard]] ClassIntake take_in_class(const ClassOptions& options,
                                        const Installation& installation);

/// Reads the submissions, and opens the labs that have some.
///
/// @param run  in place of the options' own
/// @param says_notes  print what was ignored or guessed
/// @throws UsageError, LabError, EnvironmentError
[[nodiscard]] ClassWork open_class(const ClassOptions& options, const Installation& installation,
                                   const RunOptions& run, bool says_notes);

}  // namespace warpgrade
