#pragma once

#include <optional>
#include <vector>

#include "grader/record/evidence/evidence.h"
#include "grader/record/evidence/explanation.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// What is said about a submission: the same rules for staff and students, who differ in the
/// evidence.
///
/// @param evidence     of the cases that may be mentioned
/// @param items        of the rubric; wrong cases and slow kernels without a pitfall get the
///                     headline's
/// @param explanation  of the outputs, if it may be mentioned
[[nodiscard]] Assessment assessment_of(const Evidence& evidence, std::vector<Item> items,
                                       const std::vector<SourceFile>& sources,
                                       const std::optional<Explanation>& explanation);

}  // namespace warpgrade
