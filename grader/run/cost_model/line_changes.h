#pragma once

#include "emulator/counters/cost_inputs.h"

namespace warpgrade {

// Changes of a line's counts. Each takes a line as line_with_traffic() gives it.

/// A line's counts with its share of the traffic below L1, which the emulator counts per kernel:
/// read misses in proportion to its L1 misses, writes in proportion to its stored sectors.
[[nodiscard]] warpsim::CostInputs line_with_traffic(const warpsim::CostInputs& line,
                                                    const warpsim::CostInputs& kernel);

/// Sets the requests and sectors of global loads. L1 misses stay, up to the number of sectors.
void set_loads(warpsim::CostInputs& line, double requests, double sectors);
/// The same for global stores; with the ideal number of sectors, none is stored partially.
void set_stores(warpsim::CostInputs& line, double requests, double sectors);
/// Multiplies all global atomics, and their cost in L2, by a factor.
void scale_global_atomics(warpsim::CostInputs& line, double factor);
/// Multiplies shared-memory loads, and their instructions, by a factor.
void scale_shared_loads(warpsim::CostInputs& line, double factor);

/// What follows from other counts, after a change: the path through the instructions from their
/// number, the waits for loads from that of loads.
void follow_counts(const warpsim::CostInputs& before, warpsim::CostInputs& after);

}  // namespace warpgrade
