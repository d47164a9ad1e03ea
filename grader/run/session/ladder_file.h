#pragma once

#include <filesystem>
#include <vector>

#include "grader/record/evidence/reference_cost.h"

#include "harness/lab/lab.h"

namespace warpgrade {

// reference/<lab>/ladder.json: the cost of each stage of the ladder in the performance case on the
// emulator, counted once by `warpgrade lab ladder`, so that grading need not run the stages.

[[nodiscard]] std::filesystem::path ladder_file(const Lab& lab);

/// The rungs whose cost is known: counted for this performance case and the stage's current source.
/// Empty if there is no readable file.
[[nodiscard]] std::vector<RungCost> read_ladder(const Lab& lab);

/// The modelled time of a stage's run after its rung's `change`, in milliseconds; 0 if the rung has
/// none.
[[nodiscard]] double predict_next(const Lab& lab, const Rung& rung, const ReferenceCost& cost);

/// @throws EnvironmentError  if it cannot be written
void write_ladder(const Lab& lab, const std::vector<RungCost>& rungs);

}  // namespace warpgrade
