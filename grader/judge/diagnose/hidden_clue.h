#pragma once

#include <optional>

#include "grader/judge/diagnose/clues.h"
#include "grader/judge/diagnose/diagnose.h"

namespace warpgrade {

// About hidden cases, students learn only that one is wrong and the title of its finding.

/// A hidden case is wrong, and no visible one.
[[nodiscard]] std::optional<Diagnosis> hidden_fails(const Clues& clues);

/// All cases are right, and hidden ones have findings that cost points.
[[nodiscard]] std::optional<Diagnosis> hidden_findings(const Clues& clues);

}  // namespace warpgrade
