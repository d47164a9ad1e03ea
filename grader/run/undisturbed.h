#pragma once

#include <functional>

#include "grader/run/worker.h"
#include "harness/case/case.h"

namespace warpgrade {

/// Whether a process was killed, and neither by us nor for the processor time that it used: by the
/// kernel for lack of memory, or by a user.
[[nodiscard]] bool was_killed(const ProcessResult& result, const ProcessLimits& limits);

/// A run of a worker, and the case that it was given.
struct CaseRun {
  PreparedCase prepared;
  WorkerRun run;
};

/// Runs a case, and once more if it or its device process was killed. Twice is no accident: then it
/// is as it is.
/// @param prepare  lays out the case anew; its folder is removed before the second time
[[nodiscard]] CaseRun run_undisturbed(const std::function<PreparedCase()>& prepare,
                                      const std::function<WorkerRun(const PreparedCase&)>& run);

}  // namespace warpgrade
