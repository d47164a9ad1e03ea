#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "emulator/cudart/frames.h"
#include "emulator/cudart/local/signals.h"
#include "emulator/remote/client/connection.h"

// Start and end of the program's process: tells the device its end.

namespace warpsim::remote {
namespace {

pid_t watched_process = 0;

bool tell_fault(std::uint64_t address, bool closed_page, bool host_writes,
                const cudart::FaultPlace& place) {
  if (!is_connected()) return false;
  HostFault fault = {.address = address, .closed_page = closed_page, .host_writes = host_writes};
  const cudart::FaultStack stack = place();
  fault.depth = static_cast<std::uint32_t>(std::min(stack.size(), kMostFaultFrames));
  std::copy_n(stack.begin(), fault.depth, fault.stack);
  int goes_on = 0;
  (void)DeviceCall<CallNumber::host_fault, decltype(host_fault)>::in_handler(&fault, &goes_on);
  return goes_on != 0;
}

bool goes_on(std::uint64_t address, bool host_writes, const cudart::FaultPlace& place) {
  return tell_fault(address, true, host_writes, place);
}

void report_access(std::uint64_t address, const cudart::FaultPlace& place) {
  if (in_device_memory(address)) (void)tell_fault(address, false, false, place);
}

/// Ends with the exit code required by findings, if any.
void tell_end(bool ordered, int status) {
  if (::getpid() != watched_process || !is_connected()) return;
  tell_registrations();
  int code = -1;
  (void)WARPSIM_DEVICE_CALL(finish)(ordered ? 1 : 0, status, &code);
  if (code < 0) return;
  std::cout.flush();
  std::fflush(nullptr);
  ::_exit(code);
}

void at_exit(int status, void*) {
  tell_end(true, status);
}

/// quick_exit runs no destructors, so leaks are unknown.
void at_quick_exit() {
  tell_end(false, 0);
}

void at_fatal_signal() {
  if (::getpid() != watched_process || !is_connected()) return;
  int code = -1;
  (void)DeviceCall<CallNumber::finish, decltype(finish)>::in_handler(0, 0, &code);
}

/// Runs before every constructor of the program, so that the exit handler, as handlers run in
/// reverse order, comes after all of its destructors: memory that they free is not leaked.
[[gnu::constructor]] void watch_process() {
  watched_process = ::getpid();
  (void)connect_device();
  // Loads the unwinder while files can still be opened.
  (void)cudart::capture_frames(nullptr);
  ::on_exit(at_exit, nullptr);
  ::at_quick_exit(at_quick_exit);
  ::pthread_atfork(nullptr, nullptr, forget_connection);
  cudart::watch_signals(
      {.goes_on = goes_on, .report_access = report_access, .last_words = at_fatal_signal});
}

}  // namespace
}  // namespace warpsim::remote
