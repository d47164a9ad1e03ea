#pragma once

#include <filesystem>

#include "grader/record/grade/grade.h"
#include "grader/run/session/built_submission.h"
#include "grader/run/session/lab_session.h"
#include "grader/show/report/watched_case.h"
#include "grader/submit/submission/submission.h"

// The recordings from which reports draw what the threads did.

namespace warpgrade {

/// Runs a visible case of a submission once more and records that: the case that case_to_watch()
/// names. Nothing for a lab of whole programs, and where no kernel ran.
/// @param built  of this submission; it is built if there is none
/// @throws EnvironmentError, Interrupted
[[nodiscard]] WatchedCase watch_case(LabSession& session, const Submission& submission,
                                     const Grade& grade, BuiltSubmission& built);

/// Keeps the recording of an attempt in the folder of its grade.json, in place of the one there.
/// @throws EnvironmentError  if it cannot be written
void keep_watched_case(const std::filesystem::path& folder, int attempt,
                       const WatchedCase& watched);

/// The recording of the attempt in this folder; empty if there is none, or it is damaged.
[[nodiscard]] WatchedCase kept_watched_case(const std::filesystem::path& folder, int attempt);

}  // namespace warpgrade
