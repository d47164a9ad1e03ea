#pragma once

#include <string>

#include "grader/grade_record/grade.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// What a sentence about a cause needs to know of the experiment.
struct Said {
  const Cause& cause;  // without its message
  std::string words = {};  // Candidate::words
  bool behind = true;  // a barrier: behind the line, not in front of it
  bool around_branch = false;  // of the branch or loop that the line is in
  bool by_zero = true;  // uninitialized memory: 0 did for all cases
  bool about_races = false;  // the cases were right already, and raced
  bool tried_all = true;  // no case was too large to be run
};

/// "With a block barrier after line 14 of reduction.cu, all 12 visible cases are right; now
/// 4 are." One sentence, true of the runs that were made.
[[nodiscard]] std::string proof(const Said& said, Hints hints);

/// What the mistake is, for a headline: one sentence without the proof.
[[nodiscard]] std::string headline(const Cause& cause);

}  // namespace warpgrade
