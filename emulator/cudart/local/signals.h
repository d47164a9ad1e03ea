#pragma once

#include <cstdint>

#include "emulator/cudart/frames.h"

namespace warpsim::cudart {

/// What is done about the signals that end a process. Called in a signal handler.
struct FaultHooks {
  /// Host code touched a page that is closed. @returns true when it can repeat the access
  bool (*goes_on)(std::uint64_t address, bool host_writes, const FaultPlace& place) = nullptr;
  /// It touched an address that it never may.
  void (*report_access)(std::uint64_t address, const FaultPlace& place) = nullptr;
  /// The process is about to die.
  void (*last_words)() = nullptr;
};

/// Installs handlers for the fatal signals that the process does not ignore.
void watch_signals(const FaultHooks& hooks);

/// Whether those handlers are still installed for SIGSEGV: a program that handles faults itself
/// would take ours for its own.
[[nodiscard]] bool catches_faults();

}  // namespace warpsim::cudart
