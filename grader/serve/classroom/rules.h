#pragma once

#include <string>
#include <vector>

#include "grader/core/instant.h"
#include "grader/serve/store/store.h"
#include "grader/submit/course/course.h"

// What the course's rules say to a member of the class, in words. The rules themselves are
// grader/submit/course's.

namespace warpgrade {

/// "due 2026-11-13 22:59 UTC, 1 day late now; with Roe, Jim; 3 submissions can be made"
[[nodiscard]] std::string rules_of(const Course& course, const std::string& student,
                                   const std::string& lab);

/// "2026-11-13 22:59 UTC", for pages; a receipt has the exact time.
[[nodiscard]] std::string shown_time(Instant when);

/// When students see hidden cases of a lab: "released", "released from 2026-12-01 07:00 UTC",
/// "released to each student at the due date", "not released".
[[nodiscard]] std::string release_of(const Course& course, const std::string& lab);

/// Whether what a student submits now begins before submissions of other labs: from a day before
/// the due date to a day after it.
[[nodiscard]] bool is_near_due(const Course& course, const std::string& student,
                               const std::string& lab, Instant now);

/// Whose submissions decide about the grade of a student: the group's, or the student's alone.
[[nodiscard]] std::vector<std::string> group_of(const Course& course, const std::string& student,
                                                const std::string& lab);

/// The time that its row has, which was committed before the receipt: the time of due dates.
[[nodiscard]] Instant submitted_at(const KeptAttempt& attempt);

/// "due 2026-11-13T22:59:00Z: in time", or how late; empty if the lab has no due date.
[[nodiscard]] std::string lateness_of(const Course& course, const KeptAttempt& attempt);

}  // namespace warpgrade
