#pragma once

#include "grader/diagnose/diagnose.h"
#include "grader/grade_record/grade.h"

namespace warpgrade {

/// Combines a diagnosis by rules with the result of an experiment: if they agree, the rule's
/// sentence followed by the proof; if they do not and the experiment fixed all failing cases, or
/// the rules name no pitfall, the experiment's sentence.
[[nodiscard]] Diagnosis with_proof(Diagnosis by_rules, const Cause& cause);

}  // namespace warpgrade
