#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/class/grading/student_page.h"
#include "grader/class/term/attempt_progress.h"
#include "grader/serve/http/message.h"
#include "grader/serve/routes/call.h"

// What handlers for students and for staff have in common.

namespace warpgrade {

struct ClassData {
  std::shared_ptr<const ClassRecord> record;
  Gradebook book;
  std::vector<Lab> labs;  // of the course
};
[[nodiscard]] ClassData class_data(Server& server);

/// By lab: what became of the students' checks here, and of their graded attempts.
[[nodiscard]] std::map<std::string, AttemptProgress> class_progress(Server& server);

/// A field of a form as printable text without spaces around it; empty if it has more than 4,000
/// bytes.
[[nodiscard]] std::string text_in(const Call& call, const std::string& field);
[[nodiscard]] HttpResponse no_text();

/// The page of a grade under the rules as they are now.
/// @param attempt  nothing: the one that counts
[[nodiscard]] HttpReply grade_document(Server& server, const std::string& student,
                                       const std::string& lab, std::optional<int> attempt,
                                       Reader reader);

}  // namespace warpgrade
