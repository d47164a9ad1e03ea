#pragma once

#include <optional>

#include "grader/record/counters/emulator_report.h"
#include "grader/record/evidence/evidence.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// The rung that a submission reaches on the lab's ladder: the highest one whose condition holds
/// for the counters of its own kernels in the performance case. Nothing if any case is not right,
/// the emulator did not run the performance case, its own kernels do not do most of the work, or no
/// condition holds. A rung that takes any program with a launch needs a resemblance to its stage,
/// too: no kinds of instruction that the stage lacks, and a time above that of the next stage.
///
/// The time that the next rung takes is predicted from what it changes. If the lab's own stages, on
/// the same card, say that it is not faster, their ratio is taken instead, and the first rung above
/// it that is faster is named. A next rung whose stage is slower than the submission is not named.
[[nodiscard]] std::optional<RungReport> find_rung(const Evidence& evidence);

}  // namespace warpgrade
