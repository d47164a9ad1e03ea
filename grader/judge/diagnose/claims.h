#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/record/evidence/evidence.h"
#include "grader/record/evidence/explanation.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// What a headline states and the evidence contradicts, one sentence each; empty if all that can be
/// checked is true. Checked are lines of sources, numbers of cases and elements, the sizes of
/// accesses, and "only", "every" and "all" about elements, rows, groups and sizes.
///
/// Rules make their sentences from values; this reads the sentence that came out, as a student
/// does. It is for tests, never for points.
///
/// @param evidence     what the headline was made from: without hidden cases, if students see it
/// @param explanation  the formula that it may be about
[[nodiscard]] std::vector<std::string> untrue_claims(const std::string& headline,
                                                     const Evidence& evidence,
                                                     const std::vector<SourceFile>& sources,
                                                     const std::optional<Explanation>& explanation);

}  // namespace warpgrade
