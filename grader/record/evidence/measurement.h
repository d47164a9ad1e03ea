#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/record/grade/grade.h"

namespace warpgrade {

/// The result of timing a submission against the reference.
struct Measurement {
  std::optional<Timing> timing;
  /// Why there is no time because of the submission, one sentence; otherwise empty.
  std::string problem;
  /// Why there is none because of an internal error or the machine; otherwise empty.
  std::string fault;
  std::vector<IntegrityFlag> flags;
};

}  // namespace warpgrade
