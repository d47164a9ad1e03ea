#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/evidence/case_outcome.h"
#include "grader/grade_record/grade.h"

namespace warpgrade {

/// Something to change in a run of a case that failed.
struct Candidate {
  CauseKind kind = CauseKind::barrier;
  /// For `warpsim --change`; of several the first that makes a case right counts, case by case (the
  /// neutral element of a lab's operations). Empty: outputs hold 0 before the call.
  std::vector<std::string> changes = {};
  std::string file = {};  // empty: it is about no line
  std::uint32_t line = 0;
  bool behind = true;  // a barrier: behind the line, not in front of it
  std::string pitfall = {};  // of the finding that led to it, or empty
  /// Of launches and axes: what is changed, behind "with": "one more block along x".
  std::string words = {};
};

/// What could be the cause, in the order in which it is to be tried: what is certain to be wrong
/// and comes first in a run before what follows from it, and guesses without a finding last. Made
/// from counts, findings and sources only: the same on every machine.
///
/// @param failing  cases to explain
[[nodiscard]] std::vector<Candidate> candidates(const std::vector<const CaseOutcome*>& failing,
                                                const std::vector<SourceFile>& sources);

/// Whether two threads use one place of memory in an order that nothing fixes.
[[nodiscard]] bool is_race(const ReportedFinding& finding);

}  // namespace warpgrade
