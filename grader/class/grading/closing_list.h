#pragma once

#include <string>

#include "grader/class/grading/class_work.h"
#include "grader/class/table/gradebook.h"

namespace warpgrade {

/// The list at the end of grading, for a person to read through: what was not recognized, each with
/// how to resolve it; the files that were taken for a lab although their names do not say so; the
/// grades of 0 points, with the reason; and the programs that belong to no lab of the class.
[[nodiscard]] std::string closing_list(const ClassWork& work, const Gradebook& book);

}  // namespace warpgrade
