#pragma once

#include <cstdint>

#include "emulator/cudart/frames.h"

namespace warpsim::cudart {

/// Handlers for signals that end a process. Called in a signal handler.
struct FaultHooks {
  /// Host code accessed a protected page. @returns true if it can repeat the access
  bool (*goes_on)(std::uint64_t address, bool host_writes, const FaultPlace& place) = nullptr;
  /// Host code accessed an invalid address.
  void (*report_access)(std::uint64_t address, const FaultPlace& place) = nullptr;
  /// The process is about to end.
  void (*last_words)() = nullptr;
};

/// Installs handlers for the fatal signals that the process does not ignore.
void watch_signals(const FaultHooks& hooks);

/// Whether faults reach those handlers: a program that handles SIGSEGV itself would get ours.
[[nodiscard]] bool catches_faults();

/// Another handler of SIGSEGV passes on to ours what is not its own. @param handler  its address
void faults_come_through(std::uint64_t handler);

}  // namespace warpsim::cudart
