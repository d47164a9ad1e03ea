#pragma once

#include <string>

#include "grader/core/installation.h"
#include "grader/record/evidence/observed_program.h"
#include "grader/show/report/terminal.h"

namespace warpgrade {

/// The run of a program that belongs to no lab, as one page: what it printed, findings, kernels,
/// the source with counters and the PTX of each line, pictures of its threads.
[[nodiscard]] std::string program_page(const ObservedProgram& observed,
                                       const Installation& installation);

/// The same for a terminal, without what it printed.
[[nodiscard]] std::string terminal_program(const ObservedProgram& observed,
                                           const TerminalStyle& style);

}  // namespace warpgrade
