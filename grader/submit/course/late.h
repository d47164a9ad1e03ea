#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/core/instant.h"
#include "grader/submit/course/course.h"
#include "harness/core/names.h"

namespace warpgrade {

/// The source of a submission's time, the most trusted first.
enum class TimeSource : std::uint8_t { option, table, platform, archive, file, none };
constexpr auto names_of(TimeSource) {
  return names_up_to<TimeSource::none>("option", "table", "platform", "archive", "file", "none");
}

/// How and when one attempt was submitted.
struct SubmissionRecord {
  std::string student;
  std::string lab;
  int attempt = 1;
  int attempts = 1;  // that were submitted
  std::string came_as;  // name of the submitted file or folder
  std::vector<std::string> files;  // its .cu files, with the student's names
  TimeSource source = TimeSource::none;
  std::optional<Instant> submitted;
  std::optional<bool> marked_late;  // by a learning platform that records no time
  bool counts = false;  // its grade is the student's; false of all until the lab is graded
};

/// The points of a grade under the course's rules, and why.
struct Standing {
  /// Why there is no score (an internal error, this machine); empty if there is one.
  std::string withheld;
  bool excused = false;  // withheld because the lab does not count for this student
  double raw = 0;
  double max = 0;
  int late_days = 0;  // started days beyond the due date and its extensions
  int free_days = 0;  // of these, from the budget of the term
  double penalty = 0;
  double adjusted = 0;  // raw - penalty, on the lab's curve; or what a person decided
  std::string because;  // the calculation, one sentence

  [[nodiscard]] bool counts() const { return withheld.empty(); }
};

/// Applies due date, grace, extensions and penalty. Unknown facts cost nothing.
/// @param raw        points of max; must be a real score, not the zero of an internal error
/// @param free_days  that are left of the term's budget
[[nodiscard]] Standing apply_late_policy(const Course& course, const SubmissionRecord& record,
                                         double raw, double max, int free_days = 0);

/// Started days beyond the due date, with extensions and grace; 0 if a time is not known.
[[nodiscard]] int started_days_late(const Course& course, const SubmissionRecord& record);

}  // namespace warpgrade
