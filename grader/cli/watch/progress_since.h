#pragma once

#include <string>

#include "grader/record/grade/student_view.h"

namespace warpgrade {

/// What changed from one attempt to the next, one line: "62 to 80 points; now right: "tail"; no
/// longer right: "prime"". Of hidden cases only their number.
[[nodiscard]] std::string progress_since(const StudentView& before, const StudentView& after);

}  // namespace warpgrade
