#include "grader/run/worker/undisturbed.h"

#include <csignal>
#include <utility>

#include "grader/core/remove_tree.h"

namespace warpgrade {

bool was_killed(const ProcessResult& result, const ProcessLimits& limits) {
  if (result.end == ProcessEnd::starved) return true;
  const auto cpu_limit = static_cast<double>(limits.cpu.count());
  return result.end == ProcessEnd::signalled && result.code == SIGKILL &&
         (cpu_limit <= 0 || result.cpu_seconds < cpu_limit);
}

bool was_disturbed(const WorkerRun& run) {
  const bool lost_memory = run.process.end == ProcessEnd::signalled && run.process.code == SIGBUS;
  return was_killed(run.process, run.limits) || !run.device_fault.empty() || lost_memory;
}

CaseRun run_undisturbed(const std::function<PreparedCase()>& prepare,
                        const std::function<WorkerRun(const PreparedCase&)>& run) {
  PreparedCase prepared = prepare();
  WorkerRun first = run(prepared);
  if (!was_disturbed(first)) {
    return {.prepared = std::move(prepared), .run = std::move(first)};
  }
  remove_tree(prepared.folder);  // a submission has written there
  prepared = prepare();
  WorkerRun second = run(prepared);
  return {.prepared = std::move(prepared), .run = std::move(second)};
}

}  // namespace warpgrade
