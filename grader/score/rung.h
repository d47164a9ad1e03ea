#pragma once

#include <optional>

#include "grader/grade/grade.h"
#include "grader/score/score.h"

namespace warpgrade {

/// The rung of the lab's ladder that a submission stands on: from the last to the first, the first
/// whose condition holds over the counters of the performance case. Nothing where that case is not
/// right, the emulator did not run it, no kernel ran, or no condition holds.
[[nodiscard]] std::optional<RungReport> find_rung(const Evidence& evidence);

}  // namespace warpgrade
