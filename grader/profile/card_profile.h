#pragma once

#include <filesystem>
#include <string>

#include "grader/build/build.h"
#include "grader/evidence/evidence.h"
#include "grader/grade_record/grade.h"
#include "grader/session/lab_session.h"
#include "harness/case/case_data.h"

namespace warpgrade {

/// Runs a submission under NVIDIA's tools, each in a process of its own and in the sandbox:
///
/// - ncu on the performance case, which the emulator has counted, too, and on the call whose time
///   was measured; there the reference as well, once for all submissions;
/// - each tool of compute-sanitizer on a small visible case: the one in which the emulator found
///   most, else one that is not right, else the largest that is still small.
///
/// What fails is said in a line and costs nothing.
///
/// @param evidence  of the submission, with its cases and what was measured
/// @param personal  what its hidden cases are made from
/// @param secret    the course's, for timed inputs
/// @param scratch   a folder of this submission's own
/// @throws EnvironmentError, Interrupted
[[nodiscard]] CardProfile profile_on_card(LabSession& session, const BuildResult& submission,
                                          const Evidence& evidence, const Secret& personal,
                                          const std::string& secret,
                                          const std::filesystem::path& scratch);

/// The case for compute-sanitizer; null where no visible one is small and ends.
[[nodiscard]] const CaseOutcome* case_to_check(const Evidence& evidence);

}  // namespace warpgrade
