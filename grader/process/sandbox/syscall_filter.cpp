#include "grader/process/sandbox/syscall_filter.h"

#include <sched.h>
#include <sys/socket.h>

#include <map>
#include <mutex>
#include <stdexcept>

#include "grader/core/error.h"
#include "harness/syscalls/rules.h"
#include "harness/syscalls/tables.h"

namespace warpgrade {
namespace {

/// Allowed in every table with certain arguments only.
void allow_questions(SyscallRules& rules) {
  for (const unsigned long request : kHarmlessRequests) {
    rules.allow_if("ioctl", {{.argument = 1, .value = request}});
  }
  for (const unsigned long option : kProcessOptions) {
    rules.allow_if("prctl", {{.argument = 0, .value = option}});
  }
  // A process's own limits, not those of the first process in the namespace.
  rules.allow_if("prlimit64", {{.argument = 0, .value = 0}});
  // A program may add filters, as the worker does, but no listener, which would be a descriptor.
  constexpr std::uint64_t kSetFilter = 1;
  for (const std::uint64_t all_threads : {std::uint64_t{0}, std::uint64_t{1}}) {
    rules.allow_if("seccomp",
                   {{.argument = 0, .value = kSetFilter}, {.argument = 1, .value = all_threads}});
  }
}

/// The driver's requests have a type of their own ('F'), or are small numbers, or 0x30000001 and
/// 0x30000002 (those of managed memory). Those of a terminal (0x54..), which can inject input, are
/// excluded.
void allow_driver_requests(SyscallRules& rules) {
  rules.allow_if("ioctl", {{.argument = 1, .value = 'F' << 8U, .mask = 0xff00}});
  for (const std::uint64_t base : {std::uint64_t{0}, std::uint64_t{0x30000000}}) {
    rules.allow_if("ioctl", {{.argument = 1, .value = base, .mask = 0xffffff00}});
  }
  rules.allow_if("socket", {{.argument = 0, .value = AF_UNIX}});
}

std::string make_filter(SyscallTable table) {
  SyscallRules rules;
  rules.allow(kRuntimeCalls);
  rules.allow(kDescriptorCalls);
  rules.allow(kFileCalls);
  const bool driver = table == SyscallTable::gpu_worker || table == SyscallTable::watched_worker;
  if (table == SyscallTable::watched_worker) {
    rules.allow(kProfilerCalls);
  }
  if (driver) {
    rules.allow(kDriverCalls);
    allow_driver_requests(rules);
  }
  if (table == SyscallTable::tool || table == SyscallTable::watched_worker) {
    rules.allow(kToolCalls);
    rules.allow(kEndCalls);
    rules.allow_if("clone", {{.argument = 0, .value = 0, .mask = kNamespaceFlags}});
  } else {
    rules.allow(kWaitCalls);
    rules.allow_if("clone", {{.argument = 0,
                              .value = CLONE_THREAD,
                              .mask = kNamespaceFlags | std::uint64_t{CLONE_THREAD}}});
    allow_own_ends(rules);
  }
  if (table != SyscallTable::tool) {
    rules.allow(kMessageCalls);
  }
  if (table == SyscallTable::device) {
    rules.allow(kDeviceCalls);
  }
  allow_questions(rules);
  rules.pretend_absent(kAbsentCalls);
  return rules.program();
}

}  // namespace

const std::string& syscall_filter(SyscallTable table) {
  static std::mutex mutex;
  static std::map<SyscallTable, std::string> made;
  const std::lock_guard lock(mutex);
  auto found = made.find(table);
  if (found == made.end()) {
    try {
      found = made.emplace(table, make_filter(table)).first;
    } catch (const std::runtime_error& e) {
      throw EnvironmentError(std::string("cannot create a system call filter: ") + e.what());
    }
  }
  return found->second;
}

}  // namespace warpgrade
