#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "grader/record/counters/emulator_report.h"
#include "grader/run/cost_model/launch_costs.h"
#include "harness/data/dataset.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// Applies a rung's `change` of counters to the launches of a run. Unless the change says
/// otherwise, the number of instructions changes by as many as accesses and barriers, shared-memory
/// wavefronts scale with the requests, and L1 misses stay. Occupancy stays the same, and a launch
/// of a single block keeps its block.
///
/// @param kernels  of the same run as `costs`
/// @return nothing if a formula has no value for these counters
/// @throws LabError  for a counter that is not an input of the cost model
[[nodiscard]] std::optional<LaunchCosts> change_counters(const LaunchCosts& costs,
                                                         const std::vector<KernelReport>& kernels,
                                                         const std::vector<CounterChange>& changes,
                                                         const Dims& dims);

/// How many times faster a run is after a rung's `change` of its counters; 0 if the rung has none,
/// or the cost model lacks data.
/// @param own     the submission's own kernels in the run
/// @param all_ms  of all kernels
[[nodiscard]] double gain_of_change(const Rung& rung, const Dims& dims, const EmulatorReport& own,
                                    double all_ms);

}  // namespace warpgrade
