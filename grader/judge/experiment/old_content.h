#pragma once

#include "grader/record/evidence/case_outcome.h"

namespace warpgrade {

/// Whether an element is its right value plus what the harness put there before the call (poison).
/// Of a float, whose poison is a NaN: whether it is NaN and should not be.
[[nodiscard]] bool is_on_top_of_poison(const MismatchedElement& element);

/// Whether a wrong case looks like a program that adds to an output without setting it first: all
/// listed elements are on top of the poison, and some were written. An experiment has to prove it,
/// since a NaN has other causes, too.
[[nodiscard]] bool may_add_to_old_output(const CaseOutcome& outcome);

}  // namespace warpgrade
