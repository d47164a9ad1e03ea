#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/class/table/class_record.h"
#include "grader/class/term/attempt_progress.h"
#include "grader/serve/store/store.h"
#include "harness/lab/lab.h"

// The pages of a class, for its students and its staff.

namespace warpgrade {

/// What the pages of a class are made from.
struct ClassView {
  const ClassRecord& record;
  const Gradebook& book;
  const std::vector<Lab>& labs;  // of the course
  std::vector<KeptAttempt> submissions;  // in their order: of the class, or of one student
  std::string form_token;
  bool instructor = false;
  bool lti = false;  // whether the server is the tool of a learning platform
};

/// A student's grades, receipts, questions and answers.
[[nodiscard]] std::string grades_page(const ClassView& view, const std::string& student);

/// Who submitted, points, flags, open questions, and where the class is stuck.
/// @param progress  by lab
[[nodiscard]] std::string overview_page(const ClassView& view,
                                        const std::map<std::string, AttemptProgress>& progress);

/// One student for staff: each submission, the decisions, and the forms for further ones.
[[nodiscard]] std::string student_for_staff_page(const ClassView& view, const std::string& student);

/// A new link for signing in.
[[nodiscard]] std::string invitation_page(const std::string& person, const std::string& link);

}  // namespace warpgrade
