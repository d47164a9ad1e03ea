#pragma once

#include <optional>
#include <vector>

#include "grader/record/evidence/evidence.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// The rubric's items, in its order; their points sum to the lab's.
[[nodiscard]] std::vector<Item> score_items(const Evidence& evidence);

/// The submission's time against the reference's, measured or otherwise modelled; nothing if one of
/// them is unknown.
[[nodiscard]] std::optional<Timing> timing_of(const Evidence& evidence);

/// The points of the best tier that is reached.
[[nodiscard]] double performance_points(const Timing& timing);

}  // namespace warpgrade
