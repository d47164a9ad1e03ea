#pragma once

#include <cstdint>

#include "emulator/checkers/races/line_run.h"
#include "emulator/machine/observer.h"

namespace warpsim {

struct LaunchState;

/// Sets what a run writes: one value's hash when all its lanes write that, else that of all. It
/// depends on the bytes that the lanes write, not on how the instruction has them in registers.
void set_value(LineRun& run, const StoredValues& values);

/// Whether memory has now what a run of a line wrote. @param run  with the hash of what it wrote
[[nodiscard]] bool has_in_memory(const LaunchState& launch, const LineRun& run,
                                 std::uint64_t line_address);

}  // namespace warpsim
