#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/evidence/case_outcome.h"
#include "grader/grade_record/grade.h"

namespace warpgrade {

/// A change to try in a run of a failing case.
struct Candidate {
  CauseKind kind = CauseKind::barrier;
  /// For `warpsim --change`; of several, the first that makes a case right counts, per case (such
  /// as identity elements of a lab's operations). Empty: outputs are 0 before the call.
  std::vector<std::string> changes = {};
  std::string file = {};  // empty: it concerns no line
  std::uint32_t line = 0;
  bool behind = true;  // a barrier: after the line, not before it
  std::string pitfall = {};  // of the finding that led to it, or empty
  /// For launches and axes: the change as words after "with": "one more block along x".
  std::string words = {};
};

/// Possible causes, in the order in which to try them: certain mistakes before their consequences,
/// and guesses without a finding last. Derived from counts, findings and sources only, so the same
/// on every machine.
///
/// @param failing  cases to explain
[[nodiscard]] std::vector<Candidate> candidates(const std::vector<const CaseOutcome*>& failing,
                                                const std::vector<SourceFile>& sources);

/// Whether two threads access the same memory in an undefined order.
[[nodiscard]] bool is_race(const ReportedFinding& finding);

}  // namespace warpgrade
