#pragma once

#include <string>
#include <vector>

#include "grader/record/evidence/case_outcome.h"
#include "grader/record/grade/grade.h"
#include "grader/run/session/lab_session.h"

namespace warpgrade {

/// One kind of flag, with the cases in which it was seen.
struct OddOrigin {
  std::string kind;
  std::string message;
  struct Seen {
    const CaseOutcome* outcome = nullptr;
    std::string evidence;
  };
  std::vector<Seen> seen;  // each case once
};

/// Correct outputs that kernels did not compute from the inputs, according to the emulator's
/// data-flow tracking: an output whose last writer read no input, or that was copied from host
/// memory, and inputs that were copied back before the work. Ignores cases whose outputs prove
/// nothing (is_telling) or whose inputs are few bytes, which host code may have passed on in any
/// form.
[[nodiscard]] std::vector<OddOrigin> find_odd_origins(LabSession& session, const Secret& secret,
                                                      const std::vector<CaseOutcome>& cases);

/// @param origin  seen in at least one case
[[nodiscard]] IntegrityFlag to_flag(const OddOrigin& origin);

/// What is suspicious about the last writer of an output; empty if nothing is.
[[nodiscard]] std::string odd_writer(const warpsim::OutputOrigin& output,
                                     const warpsim::OutputWriter& writer);

}  // namespace warpgrade
