#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/core/instant.h"
#include "grader/course/course.h"
#include "harness/core/names.h"

namespace warpgrade {

/// Where the time of a submission is known from, the most trusted first.
enum class TimeSource : std::uint8_t { option, table, platform, archive, file, none };
constexpr auto names_of(TimeSource) {
  return names_up_to<TimeSource::none>("option", "table", "platform", "archive", "file", "none");
}

/// What is known of how one attempt came in.
struct SubmissionRecord {
  std::string student;
  std::string lab;
  int attempt = 1;
  int attempts = 1;  // that were handed in
  std::string came_as;  // name of the file or folder that it came in
  std::vector<std::string> files;  // its .cu files, as the student called them
  TimeSource source = TimeSource::none;
  std::optional<Instant> submitted;
  std::optional<bool> marked_late;  // by the learning platform, which says no time
};

/// What a grade counts in its course, and why. Points, but for the days.
struct Standing {
  std::string withheld;  // why there is no score (a fault, this machine); empty if there is one
  double raw = 0;
  double max = 0;
  int late_days = 0;  // started days beyond the due date and its extensions
  double penalty = 0;
  double adjusted = 0;  // raw - penalty
  std::string because;  // how that came about, one sentence

  [[nodiscard]] bool counts() const { return withheld.empty(); }
};

/// Applies due date, grace, extensions and penalty. What is not known costs nothing.
/// @param raw  points of max; must be a real score, not a fault's zero
[[nodiscard]] Standing apply_late_policy(const Course& course, const SubmissionRecord& record,
                                         double raw, double max);

}  // namespace warpgrade
