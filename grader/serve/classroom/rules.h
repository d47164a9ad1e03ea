#pragma once

#include <string>

#include "grader/core/instant.h"
#include "grader/serve/store/store.h"
#include "grader/submit/course/course.h"

// What the course's rules say to a member of the class, in words. The rules themselves are
// grader/submit/course's.

namespace warpgrade {

/// "due 2026-11-13T22:59:00Z, 1 day late now; with Roe, Jim; 3 submissions can be made"
[[nodiscard]] std::string rules_of(const Course& course, const std::string& student,
                                   const std::string& lab);

/// The time that its row has, which was committed before the receipt: the time of due dates.
[[nodiscard]] Instant submitted_at(const KeptAttempt& attempt);

/// "due 2026-11-13T22:59:00Z: in time", or how late; empty if the lab has no due date.
[[nodiscard]] std::string lateness_of(const Course& course, const KeptAttempt& attempt);

}  // namespace warpgrade
