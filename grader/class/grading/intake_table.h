#pragma once

#include <string>
#include <vector>

#include "grader/class/grading/class_work.h"
#include "grader/class/grading/mapping.h"

namespace warpgrade {

/// What would be graded for whom, and why: a line for each student and lab, and one for work that
/// belongs to no lab.
[[nodiscard]] std::vector<MappingLine> mapping_of(const ClassIntake& taken);

/// The same as a table for a terminal, with times of submission, groups, and what needs a person.
[[nodiscard]] std::string intake_text(const ClassIntake& taken);

}  // namespace warpgrade
