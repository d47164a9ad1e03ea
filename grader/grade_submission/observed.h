#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/evidence/evidence.h"
#include "grader/grade_record/failure.h"
#include "grader/grade_record/grade.h"
#include "grader/grade_submission/before_release.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// What compiling and running a submission showed: all that its grade is made from but the lab's
/// points, tiers, limits and words. It is kept, so that a grade can be made again without running
/// anything.
struct Observed {
  BuildStep step = BuildStep::not_handed_in;
  std::string build_log;
  std::vector<IntegrityFlag> flags;
  Evidence evidence;  // of all cases; the ladder is the lab's, and is not kept
  PublicRuns open;
  std::optional<CardProfile> profile = std::nullopt;
  std::map<std::string, std::string> cases = {};  // identity_of_case() of each that was run
  std::vector<std::string> counted = {};  // hidden cases that were to be run on public data
  std::string yardstick = {};  // identity_of_yardstick() that costs were taken from
  std::string started = {};  // UTC, "2026-11-21T09:30:00Z"
  double seconds = 0;
};

/// Puts what was observed under the lab as it is now: its cases in its order, without those that it
/// no longer has; tiers.
void fit_to_lab(const Lab& lab, Observed& seen);

/// As bytes, in a format of this version of warpgrade; every number comes back as it was.
[[nodiscard]] std::string to_bytes(const Observed& seen);
/// @return nothing if `bytes` are damaged or of another format
[[nodiscard]] std::optional<Observed> observed_from_bytes(std::string_view bytes);

}  // namespace warpgrade
