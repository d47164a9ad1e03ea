#include "emulator/cudart/host_fault.h"

#include <chrono>
#include <mutex>
#include <optional>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/runtime.h"

namespace warpsim::cudart {

bool goes_on_after_fault(std::uint64_t address, bool host_writes, const FaultPlace& place) {
  Runtime* runtime = Runtime::existing();
  if (runtime == nullptr) return false;
  std::optional<HostWatch::Access> found;
  if (!runtime->watch.on_fault(address, host_writes, found)) return false;
  if (!found) return true;
  const CallSite site = resolve_fault(place());
  const PendingUse use = {.memory = found->memory,
                          .offset = found->offset,
                          .user = found->by.what,
                          .issued = resolve(found->by.api, found->by.frames),
                          .writes = found->pending_writes};
  // Another thread may hold the lock and wait for this one.
  std::unique_lock lock(runtime->mutex, std::defer_lock);
  (void)lock.try_lock_for(std::chrono::seconds(2));
  runtime->report(host_access_before_sync(site, host_writes, use));
  return true;
}

void report_host_access(std::uint64_t address, const FaultPlace& place) {
  Runtime* runtime = Runtime::existing();
  if (runtime == nullptr || !runtime->memory.in_device_range(address)) return;
  const CallSite site = resolve_fault(place());
  runtime->report(host_access(site, address, runtime->memory.nearest(address)));
}

}  // namespace warpsim::cudart
