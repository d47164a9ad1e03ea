#pragma once

#include "grader/diagnose/diagnose.h"
#include "grader/grade_record/grade.h"

namespace warpgrade {

/// A diagnosis by rules, in the light of what an experiment has shown: where the two agree, the
/// rule's words with the proof behind them; where they do not and the experiment made all lost
/// cases right, the experiment's own.
[[nodiscard]] Diagnosis with_proof(Diagnosis by_rules, const Cause& cause);

}  // namespace warpgrade
