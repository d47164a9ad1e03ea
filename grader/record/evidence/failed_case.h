#pragma once

#include "grader/record/evidence/case_outcome.h"

namespace warpgrade {

/// Whether a case ran and did not pass because of the submission.
[[nodiscard]] bool has_failed(const CaseOutcome& c);

}  // namespace warpgrade
