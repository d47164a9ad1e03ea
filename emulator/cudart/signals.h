#pragma once

namespace warpsim::cudart {

/// Calls `last_words` before a fatal signal ends the process, and reports host code that touched
/// device memory. The process then dies of the signal as it would without the emulator; handlers
/// that the program installs itself come first.
void watch_signals(void (*last_words)());

}  // namespace warpsim::cudart
