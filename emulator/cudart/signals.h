#pragma once

namespace warpsim::cudart {

/// Calls `last_words` before a fatal signal ends the process, and reports host code that touched
/// device memory. The process then dies of the signal as it would without the emulator; handlers
/// that the program installs itself come first.
void watch_signals(void (*last_words)());

/// False when the program handles SIGSEGV itself.
[[nodiscard]] bool catches_faults();

}  // namespace warpsim::cudart
