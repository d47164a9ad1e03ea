#pragma once

#include "grader/evidence/evidence.h"
#include "grader/grade_record/grade.h"

namespace warpgrade {

/// Compares one course formula with the counters of its case.
[[nodiscard]] Item score_concept(const Evidence& evidence, const ConceptCheck& check);

}  // namespace warpgrade
