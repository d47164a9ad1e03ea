#pragma once

#include "emulator/machine/debugger.h"

// A program's end of a debugging session.

namespace warpsim::debug {

/// Starts the session that the environment names (WARPSIM_DEBUG_SOCKET), and waits until its client
/// has set its breakpoints. The debugger lives as long as the process.
/// @returns null when there is none
[[nodiscard]] Debugger* attach_from_environment();

}  // namespace warpsim::debug
