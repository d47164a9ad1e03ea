#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/record/evidence/case_outcome.h"
#include "grader/record/grade/grade.h"
#include "harness/lab/lab.h"

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
  /// For launches, indices and sizes: the change as words after "with": "one more block along x".
  std::string words = {};
  /// An index pair: the change depends on the extents of the case, see changes_for.
  std::optional<std::size_t> matrix = std::nullopt;  // position among the lab's parameters

  /// Row and column in the index of an access, rather than x and y.
  [[nodiscard]] bool is_index_pair() const { return kind == CauseKind::axes && line != 0; }
};

/// The changes of a candidate for one case of a lab; none if there is nothing to change in it.
[[nodiscard]] std::vector<std::string> changes_for(const Candidate& candidate, const Case& spec,
                                                   const Lab& lab);

/// Possible causes, in the order in which to try them: certain mistakes before their consequences,
/// and guesses without a finding last. Derived from counts, findings and sources only, so the same
/// on every machine.
///
/// @param failing  cases of the lab to explain
[[nodiscard]] std::vector<Candidate> candidates(const std::vector<const CaseOutcome*>& failing,
                                                const std::vector<SourceFile>& sources,
                                                const Lab& lab);

/// Whether two threads access the same memory in an undefined order.
[[nodiscard]] bool is_race(const ReportedFinding& finding);

}  // namespace warpgrade
