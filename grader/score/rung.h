#pragma once

#include <optional>

#include "grader/grade/grade.h"
#include "grader/run/emulator_report.h"
#include "grader/score/score.h"

namespace warpgrade {

/// The rung of the lab's ladder that a submission stands on: from the last to the first, the first
/// whose condition holds over the counters of its own kernels in the performance case. Nothing
/// where any case is not right, the emulator did not run that one, no kernel of its own did most of
/// the work, or no condition holds.
[[nodiscard]] std::optional<RungReport> find_rung(const Evidence& evidence);

/// How much faster a run is after what a rung's `change` makes of its counters; 0 where the rung
/// does not say, or the cost model has nothing to go by.
/// @param own     the submission's own kernels in the run
/// @param all_ms  of all kernels
[[nodiscard]] double gain_of_change(const Rung& rung, const Dims& dims, const EmulatorReport& own,
                                    double all_ms);

}  // namespace warpgrade
