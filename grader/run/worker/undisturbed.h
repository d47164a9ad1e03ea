#pragma once

#include <functional>

#include "grader/run/worker/worker.h"
#include "harness/case/case.h"

namespace warpgrade {

/// Whether a process was ended for a reason outside of it: by the kernel for lack of memory, by a
/// user, or by us because the machine was too busy for it; not by its limits.
[[nodiscard]] bool was_killed(const ProcessResult& result, const ProcessLimits& limits);

/// Whether a run has to be done again: was_killed() holds of it or of its device process, or it
/// ended by SIGBUS, as on a full file system in memory.
[[nodiscard]] bool was_disturbed(const WorkerRun& run);

/// A run of a worker, and its case.
struct CaseRun {
  PreparedCase prepared;
  WorkerRun run;
};

/// Runs a case, and once more if it was_disturbed(). If that happens twice, the second result
/// stands.
/// @param prepare  prepares the case; its folder is removed before the second run
[[nodiscard]] CaseRun run_undisturbed(const std::function<PreparedCase()>& prepare,
                                      const std::function<WorkerRun(const PreparedCase&)>& run);

}  // namespace warpgrade
