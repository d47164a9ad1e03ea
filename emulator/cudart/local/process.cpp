#include "emulator/cudart/local/process.h"

#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>

#include "emulator/cudart/finish.h"
#include "emulator/cudart/host_fault.h"
#include "emulator/cudart/host_program.h"
#include "emulator/cudart/local/signals.h"

namespace warpsim::cudart {
namespace {

pid_t watched_process = 0;
/// In a forked child whose parent had used the device, the child cannot use it.
bool forked_from_user = false;

void at_exit(int status, void*) {
  // Not in a child of a process that used the device, because the state here is the parent's.
  if (::getpid() != watched_process) return;
  const auto code = finish(status);
  if (!code) return;
  std::cout.flush();
  std::fflush(nullptr);
  ::_exit(*code);
}

/// quick_exit runs no destructors, so leaks are unknown.
void at_quick_exit() {
  if (::getpid() != watched_process) return;
  const auto code = finish(std::nullopt);
  if (!code) return;
  std::fflush(nullptr);
  ::_exit(*code);
}

/// A child that inherits a device in use must not use it, as on a card; another thread may have
/// held the lock. A child of a process that had not used it yet is independent.
void in_forked_child() {
  Runtime* runtime = Runtime::existing();
  if (runtime == nullptr) {
    watched_process = ::getpid();
    name_report_of_child();
    return;
  }
  forked_from_user = true;
  new (&runtime->mutex) std::recursive_timed_mutex;
  runtime->watch.after_fork();
}

void at_fatal_signal() {
  if (::getpid() != watched_process) return;
  (void)finish(std::nullopt);
}

/// Runs before every constructor of the program, so that the exit handler, as handlers run in
/// reverse order, comes after all of its destructors: memory that they free is not leaked.
[[gnu::constructor]] void watch_process() {
  (void)process_settings();
  HostProgram::set(local_program());
  (void)process_debugger();
  watched_process = ::getpid();
  ::on_exit(at_exit, nullptr);
  ::at_quick_exit(at_quick_exit);
  ::pthread_atfork(nullptr, nullptr, in_forked_child);
  watch_signals({.goes_on = goes_on_after_fault,
                 .report_access = report_host_access,
                 .last_words = at_fatal_signal});
}

}  // namespace

bool is_forked_from_user() {
  return forked_from_user;
}

}  // namespace warpsim::cudart
