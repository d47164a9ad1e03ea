#pragma once

#include <cstddef>
#include <vector>

#include "grader/class/table/class_record.h"

namespace warpgrade {

/// Which of a student's attempts counts if the best one does: the one with the most points after
/// penalties, the latest of equals. An attempt without a grade because of an internal error could
/// have been the best, so it is reported unless another has all points: no grade is better than one
/// that may be too low.
///
/// @param rows       of the attempts, in order; at least one
/// @param standings  of each
[[nodiscard]] std::size_t best_attempt(const std::vector<GradeRow>& rows,
                                       const std::vector<Standing>& standings);

}  // namespace warpgrade
