#pragma once

#include "grader/class/grading/intake.h"

namespace warpgrade {

/// Copies, clones and some programs that unpack give files the time at which they do so, and late
/// policies would take away the points of a whole class: such times are not used.
/// Sets `was_copied`, and adds notes. Only where the course has due dates, and files' times count.
void find_times_of_copies(Intake& intake);

}  // namespace warpgrade
