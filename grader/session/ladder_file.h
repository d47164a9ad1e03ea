#pragma once

#include <filesystem>
#include <vector>

#include "grader/evidence/reference_cost.h"

#include "harness/lab/lab.h"

namespace warpgrade {

// reference/<lab>/ladder.json: what each stage of the ladder costs in the performance case on the
// emulator, counted once by `warpgrade lab ladder`, so that no grading has to run them.

[[nodiscard]] std::filesystem::path ladder_file(const Lab& lab);

/// The rungs whose cost is known: counted for this performance case, of the stage's source as it is
/// now. Empty without a file, or where it cannot be read.
[[nodiscard]] std::vector<RungCost> read_ladder(const Lab& lab);

/// What the cost model makes of a stage's run after its rung's `change`, in milliseconds; 0 where
/// the rung has none.
[[nodiscard]] double predict_next(const Lab& lab, const Rung& rung, const ReferenceCost& cost);

/// @throws EnvironmentError  if it cannot be written
void write_ladder(const Lab& lab, const std::vector<RungCost>& rungs);

}  // namespace warpgrade
