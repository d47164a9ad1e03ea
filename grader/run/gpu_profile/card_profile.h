#pragma once

#include <filesystem>
#include <string>

#include "grader/build/compile/build.h"
#include "grader/record/evidence/evidence.h"
#include "grader/record/grade/grade.h"
#include "grader/run/session/lab_session.h"
#include "harness/case/case_data.h"

namespace warpgrade {

/// Runs a submission under NVIDIA's tools, each in a separate process in the sandbox:
///
/// - ncu on the performance case, which the emulator has counted, too, and on the call whose time
///   was measured; there the reference as well, once for all submissions;
/// - each tool of compute-sanitizer on a small visible case: the one in which the emulator found
///   most, else one that is not right, else the largest that is still small.
///
/// Failures are recorded in one line and cost nothing.
///
/// @param evidence  of the submission, with its cases and what was measured
/// @param personal  the secret of its hidden cases
/// @param secret    the course's, for timed inputs
/// @param scratch   a folder for this submission alone
/// @throws EnvironmentError, Interrupted
[[nodiscard]] CardProfile profile_on_card(LabSession& session, const BuildResult& submission,
                                          const Evidence& evidence, const Secret& personal,
                                          const std::string& secret,
                                          const std::filesystem::path& scratch);

/// The case for compute-sanitizer; null if no visible case is small and ends.
[[nodiscard]] const CaseOutcome* case_to_check(const Evidence& evidence);

}  // namespace warpgrade
