#pragma once

#include "emulator/cudart/runtime.h"

// The life of the process: what is said at its end, whichever end that is.

namespace warpsim::cudart {

// From the moment the library is loaded, the report is written when the process ends: by return
// from main, exit(), quick_exit(), abort() or a fatal signal. _exit() leaves the report as it was
// after the last bad kernel.

/// True in a forked child of a process that had used the device before: every call of such a child
/// fails, as it does with the real runtime.
[[nodiscard]] bool is_forked_from_user();

/// Writes the JSON report of what is known so far, if one is asked for.
void write_report(Runtime& runtime);

/// Reports what the program allocated and has not freed.
void find_leaks(Runtime& runtime);

/// Reports a call that the emulator lacks: a finding, and the first time a line on stderr.
void report_unsupported(Runtime& runtime, const CallSite& site);

}  // namespace warpsim::cudart
