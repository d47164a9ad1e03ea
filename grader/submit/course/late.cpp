#include "grader/submit/course/late.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "grader/core/text.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

std::string_view words(TimeSource source) {
  switch (source) {
    case TimeSource::option:
      return "as --submitted-at says";
    case TimeSource::table:
      return "by the table of submission times";
    case TimeSource::platform:
      return "by the learning platform";
    case TimeSource::archive:
      return "time of the archive";
    case TimeSource::file:
      return "time of the file";
    case TimeSource::none:
      break;
  }
  return "unknown";
}

std::string due_text(const Course& course, const SubmissionRecord& record, Instant due) {
  const bool extended = course.plan(record.lab).due != due;
  return fmt::format("due {}{}", instant_text(due), extended ? " with the extension" : "");
}

/// The sentence for a submission without a time, which has no penalty.
std::string unknown_time(const SubmissionRecord& record) {
  if (record.marked_late == true) {
    return "marked late by the learning platform, which does not say by how much: no penalty; add "
           "the time to the table of submission times";
  }
  if (record.marked_late == false) {
    return "not marked late by the learning platform";
  }
  return "submission time unknown: no penalty";
}

}  // namespace

int started_days_late(const Course& course, const SubmissionRecord& record) {
  constexpr long kDay = 86400;
  const std::optional<Instant> due = course.due(record.lab, record.student);
  if (!due || !record.submitted) return 0;
  const std::chrono::seconds late = *record.submitted - *due;
  return late <= course.late.grace ? 0 : static_cast<int>((late.count() + kDay - 1) / kDay);
}

Standing apply_late_policy(const Course& course, const SubmissionRecord& record, double raw,
                           double max, int free_days) {
  Standing s;
  s.raw = raw;
  s.max = max;
  s.adjusted = raw;
  const std::optional<Instant> due = course.due(record.lab, record.student);
  if (!due) {
    s.because = "no due date";
    return s;
  }
  if (!record.submitted) {
    s.because = unknown_time(record);
    return s;
  }
  const std::string facts = fmt::format("submitted {} ({}), {}", instant_text(*record.submitted),
                                        words(record.source), due_text(course, record, *due));
  const std::chrono::seconds late = *record.submitted - *due;
  if (late <= std::chrono::seconds(0)) {
    s.because = facts;
    return s;
  }
  if (late <= course.late.grace) {
    s.because = fmt::format("{}: within the grace period of {}", facts,
                            plural(course.late.grace.count(), "minute"));
    return s;
  }
  s.late_days = started_days_late(course, record);
  s.free_days = std::min(free_days, s.late_days);
  const double wanted = course.late.per_day * (s.late_days - s.free_days);
  const double percent = std::min(wanted, course.late.cap);
  // Rounded as displayed, so that raw - penalty = adjusted holds for the displayed numbers.
  s.penalty = std::round(raw * percent) / 100;
  s.adjusted = std::max(0.0, raw - s.penalty);
  const std::string free =
      s.free_days == 0 ? ""
                       : fmt::format(", of which {} from the budget of {} per term", s.free_days,
                                     plural(course.late.free_days, "free day"));
  s.because =
      fmt::format("{}: {} late{}, {} % per day{} = {} % of {}, so {} - {} = {}", facts,
                  plural(s.late_days, "day"), free, human_points(course.late.per_day),
                  wanted > percent ? ", capped" : "", human_points(percent), human_points(raw),
                  human_points(raw), human_points(s.penalty), human_points(s.adjusted));
  return s;
}

}  // namespace warpgrade
