#pragma once

#include "grader/grade/grade.h"
#include "grader/score/score.h"

namespace warpgrade {

/// Holds one course formula against the counters of its case.
[[nodiscard]] Item score_concept(const Evidence& evidence, const ConceptCheck& check);

}  // namespace warpgrade
