#pragma once

#include <cstddef>
#include <vector>

#include "grader/class_table/class_record.h"

namespace warpgrade {

/// Which of a student's attempts counts when the best does: the one with the most points after
/// penalties, the latest of equals. An attempt that our own fault kept from a grade could have been
/// the best, so unless another has all points, it is the one that is reported: no grade is better
/// than one that may be too low.
///
/// @param rows       of the attempts, the first one first; at least one
/// @param standings  of each
[[nodiscard]] std::size_t best_attempt(const std::vector<GradeRow>& rows,
                                       const std::vector<Standing>& standings);

}  // namespace warpgrade
