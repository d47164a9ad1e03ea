#pragma once

#include <optional>

#include "emulator/cudart/runtime.h"

// What is said about a run: at its end, and after each kernel that went wrong.

namespace warpsim::cudart {

/// Looks for what can only be known at the end, writes the report and prints the findings.
/// @param status  the program's exit code; nothing when it did not come to an orderly end, so that
///   nothing can be said about leaks
/// @returns the exit code to end with instead of the program's own, or nothing
std::optional<int> finish(const std::optional<int>& status);

/// The report of this process has its number behind the name, as its parent writes one, too.
void name_report_of_child();

/// Writes the JSON report of what is known so far, if one is asked for.
void write_report(Runtime& runtime);

/// Reports what the program allocated and has not freed.
void find_leaks(Runtime& runtime);

/// Reports a call that the emulator lacks: a finding, and the first time a line on stderr.
void report_unsupported(Runtime& runtime, const CallSite& site);

}  // namespace warpsim::cudart
