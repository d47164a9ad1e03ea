#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "grader/class_table/class_record.h"
#include "grader/core/installation.h"
#include "grader/grade_class/grade_class.h"
#include "grader/grade_class/intake.h"
#include "grader/session/lab_session.h"
#include "grader/submission/submission.h"

namespace warpgrade {

/// One student's work for one lab.
struct Task {
  LabSession* session = nullptr;
  const StudentEntry* student = nullptr;
  std::string key;
  std::size_t index = 0;  // in the part, of a process that grades one
};

/// What a student handed in, or why we cannot read it: no fault of the student's, nor a reason to
/// keep others waiting.
struct Picked {
  Submission submission;
  std::string fault;
};

[[nodiscard]] Picked pick(const StudentEntry& attempt, const Lab& lab);

/// What is to be graded, and by what rules.
struct ClassWork {
  Intake intake;
  ClassRecord record;
  std::string secret;
  std::vector<std::unique_ptr<LabSession>> sessions;  // of the labs that are graded
  std::vector<Task> tasks;
  std::map<std::string, std::size_t> not_handed_in;  // students, by lab
};

/// Reads what came in, and opens the labs that somebody handed in work for.
///
/// @param device      that they are graded on
/// @param says_notes  prints what was ignored or guessed
/// @throws UsageError, LabError, EnvironmentError
[[nodiscard]] ClassWork open_class(const ClassOptions& options, const Installation& installation,
                                   DeviceRequest device, bool says_notes);

}  // namespace warpgrade
