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

/// Whether those handlers are still installed for SIGSEGV: a program that handles faults itself
/// would get ours.
[[nodiscard]] bool catches_faults();

}  // namespace warpsim::cudart
