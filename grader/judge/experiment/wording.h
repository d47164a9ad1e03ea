#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "grader/record/grade/grade.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The facts that a sentence about a cause needs.
struct ProofParts {
  const Cause& cause;  // without its message
  std::string words = {};  // Candidate::words
  bool behind = true;  // a barrier: after the line, not before it
  bool around_branch = false;  // around the branch or loop that contains the line
  bool by_zero = true;  // uninitialized memory: 0 fixed all cases
  bool about_races = false;  // the cases were right already, but had races
  bool tried_all = true;  // no case was too large to run
  /// Of the cases that were tried, those that are right as they are; nothing: all that the change
  /// has not made right.
  std::optional<std::size_t> right_now = {};
};

/// "With a block barrier after line 14 of reduction.cu, all 12 visible cases are right; now 4 are."
/// One sentence about exactly the runs that were made.
[[nodiscard]] std::string proof(const ProofParts& said, Hints hints);

/// What the mistake is, for a headline: one sentence without the proof.
[[nodiscard]] std::string headline(const Cause& cause);

}  // namespace warpgrade
