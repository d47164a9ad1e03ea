#pragma once

#include <optional>
#include <string_view>

#include "emulator/cudart/runtime.h"

// Reports on a run: at its end, and after each kernel with findings.

namespace warpsim::cudart {

/// Makes the findings that are only possible at the end, writes the report and prints the findings.
/// @param status  the program's exit code; nothing after an abnormal end, when leaks are unknown
/// @returns the exit code to end with instead of the program's own, or nothing
std::optional<int> finish(const std::optional<int>& status);

/// Appends the process id to this report's name, because the parent writes one, too.
void name_report_of_child();

/// Writes the JSON report of the run so far, if requested.
void write_report(Runtime& runtime);

/// Reports allocations that were not freed. @param device  of this one only
void find_leaks(Runtime& runtime, std::optional<int> device = std::nullopt);

/// Reports a call that the emulator lacks: a finding, and the first time a line on stderr.
/// @param result  what the call returns
void report_unsupported(Runtime& runtime, const CallSite& site,
                        std::string_view result = "cudaErrorNotSupported");

}  // namespace warpsim::cudart
