#pragma once

#include <vector>

#include "grader/evidence/case_outcome.h"
#include "grader/grade_record/grade.h"
#include "grader/session/lab_session.h"

namespace warpgrade {

/// Flags correct outputs that kernels did not compute from the inputs, according to the emulator's
/// data-flow tracking: an output whose last writer read no input, or that was copied from host
/// memory, and inputs that were copied back before the work. Ignores cases whose outputs prove
/// nothing (is_telling) or whose inputs are few bytes, which host code may have passed on in any
/// form.
void flag_data_origins(LabSession& session, const Secret& secret,
                       const std::vector<CaseOutcome>& cases, std::vector<IntegrityFlag>& flags);

/// What is suspicious about the last writer of an output; empty if nothing is.
[[nodiscard]] std::string odd_writer(const warpsim::OutputOrigin& output,
                                     const warpsim::OutputWriter& writer);

}  // namespace warpgrade
