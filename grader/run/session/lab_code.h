#pragma once

#include "harness/golden/run_apart.h"

namespace warpgrade {

/// Runs a function of a lab's library in a copy of this process, with limits of time and memory.
/// @throws LabCodeError      if it does not return: "lab 'scan', case \"prime\": reference/...
///                           was ended by SIGSEGV (...)"
/// @throws EnvironmentError  if there is no process or memory for it
[[nodiscard]] std::string run_lab_code(const LabCall& call);

}  // namespace warpgrade
