#pragma once

#include <functional>

#include "grader/run/worker.h"
#include "harness/case/case.h"

namespace warpgrade {

/// Whether a process was killed from outside: by the kernel for lack of memory, or by a user; not
/// by us, and not by its limit of processor time.
[[nodiscard]] bool was_killed(const ProcessResult& result, const ProcessLimits& limits);

/// A run of a worker, and its case.
struct CaseRun {
  PreparedCase prepared;
  WorkerRun run;
};

/// Runs a case, and once more if it or its device process was killed from outside. If that happens
/// twice, the second result stands.
/// @param prepare  prepares the case; its folder is removed before the second run
[[nodiscard]] CaseRun run_undisturbed(const std::function<PreparedCase()>& prepare,
                                      const std::function<WorkerRun(const PreparedCase&)>& run);

}  // namespace warpgrade
