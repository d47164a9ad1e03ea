#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/grade_record/grade.h"

namespace warpgrade {

/// What measuring a submission against the reference came to.
struct Measurement {
  std::optional<Timing> timing;
  std::string problem;  // the submission's, why there is none: one sentence; else empty
  std::string fault;  // ours or the machine's, why there is none: one sentence; else empty
  std::vector<IntegrityFlag> flags;
};

}  // namespace warpgrade
