#pragma once

#include <optional>

#include "grader/counters/emulator_report.h"
#include "grader/evidence/evidence.h"
#include "grader/grade_record/grade.h"

namespace warpgrade {

/// The rung of the lab's ladder that a submission stands on: from the last to the first, the first
/// whose condition holds over the counters of its own kernels in the performance case. Nothing
/// where any case is not right, the emulator did not run that one, no kernel of its own did most of
/// the work, or no condition holds.
[[nodiscard]] std::optional<RungReport> find_rung(const Evidence& evidence);

}  // namespace warpgrade
