#pragma once

#include "grader/judge/diagnose/diagnose.h"
#include "grader/record/evidence/explanation.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// Combines a diagnosis by rules with the result of an experiment: if they agree, the rule's
/// sentence followed by the proof; if they do not and the experiment fixed all failing cases, or
/// the rules name no pitfall, the experiment's sentence.
[[nodiscard]] Diagnosis with_proof(Diagnosis by_rules, const Cause& cause);

/// The same for a diagnosis that is an explanation: the formula's sentence, followed by an
/// experiment that fixed all failing cases, which has a line. For a formula of the lab an
/// experiment that fixed some of them is left out; it says more than a general variant.
[[nodiscard]] Diagnosis with_proof_of(Diagnosis explained, const Explanation& explanation,
                                      const Cause& cause);

}  // namespace warpgrade
