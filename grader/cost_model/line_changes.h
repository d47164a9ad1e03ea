#pragma once

#include "emulator/counters/cost_inputs.h"

namespace warpgrade {

// Changes of a line's counts. Each takes a line as line_with_traffic() gives it.

/// A line's counts with what it adds to the traffic beyond the first level, which the emulator
/// counts for whole kernels only: read misses in proportion to sectors that the first level lacks,
/// what is written in proportion to sectors stored.
[[nodiscard]] warpsim::CostInputs line_with_traffic(const warpsim::CostInputs& line,
                                                    const warpsim::CostInputs& kernel);

/// Global loads with so many requests and sectors. What the first level did not have, it still has
/// not, as far as it is asked for.
void set_loads(warpsim::CostInputs& line, double requests, double sectors);
/// The same of global stores; no sector is stored in part where `sectors` are the ideal ones.
void set_stores(warpsim::CostInputs& line, double requests, double sectors);
/// All global atomics times a factor, and what they cost beyond.
void scale_global_atomics(warpsim::CostInputs& line, double factor);
/// Loads of shared memory times a factor, with their instructions.
void scale_shared_loads(warpsim::CostInputs& line, double factor);

}  // namespace warpgrade
