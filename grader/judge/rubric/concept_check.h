#pragma once

#include "grader/record/evidence/evidence.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// Compares one course formula with the counters of its case.
[[nodiscard]] Item score_concept(const Evidence& evidence, const ConceptCheck& check);

}  // namespace warpgrade
