#pragma once

#include <optional>

#include "grader/diagnose/clues.h"
#include "grader/diagnose/diagnose.h"

namespace warpgrade {

// Of hidden cases no more is said than that one is wrong, and what its finding is called.

/// A hidden case is wrong, and no visible one.
[[nodiscard]] std::optional<Diagnosis> hidden_fails(const Clues& clues);

/// All cases are right, and hidden ones have findings that cost points.
[[nodiscard]] std::optional<Diagnosis> hidden_findings(const Clues& clues);

}  // namespace warpgrade
