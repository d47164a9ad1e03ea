#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/judge/assess/before_release.h"
#include "grader/record/evidence/evidence.h"
#include "grader/record/evidence/explanation.h"
#include "grader/record/grade/failure.h"
#include "grader/record/grade/grade.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The evidence from compiling and running a submission: everything that its grade is made from
/// except the lab's points, tiers, limits and texts. It is cached, so that a grade can be made
/// again without running anything.
struct Observed {
  BuildStep step = BuildStep::not_handed_in;
  std::string build_log;
  std::vector<IntegrityFlag> flags;
  Evidence evidence;  // of all cases; without the ladder, which is the lab's
  std::optional<Explanation> explanation = std::nullopt;  // another formula gives these outputs
  PublicRuns open;
  std::optional<CardProfile> profile = std::nullopt;
  std::map<std::string, std::string> cases = {};  // identity_of_case() of each that was run
  std::vector<std::string> called_twice =
      {};  // the cases of the second-call check; empty if not run
  std::vector<std::string> counted = {};  // hidden cases to run on public data
  std::string yardstick = {};  // identity_of_yardstick() of the reference costs
  std::string started = {};  // UTC, "2026-11-21T09:30:00Z"
  double seconds = 0;
};

/// Adapts the evidence to the current lab: its cases in its order, without removed ones; its tiers.
void fit_to_lab(const Lab& lab, Observed& seen);

/// Serializes exactly, in a format of this version of warpgrade.
[[nodiscard]] std::string to_bytes(const Observed& seen);
/// @return nothing if `bytes` are damaged or of another format
[[nodiscard]] std::optional<Observed> observed_from_bytes(std::string_view bytes);

}  // namespace warpgrade
