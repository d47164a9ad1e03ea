#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "grader/cost_model/launch_costs.h"
#include "grader/counters/emulator_report.h"
#include "harness/data/dataset.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The launches of a run after what a rung's `change` makes of its counters. Where it does not say
/// otherwise, instructions change by as many as accesses and barriers do, passes over shared memory
/// go with the requests, and what the first level did not have it still has not. As many warps fit
/// on a multiprocessor as before, and a launch of a single block keeps it.
///
/// @param kernels  of the same run as `costs`
/// @return nothing where a formula has no value for these counters
/// @throws LabError  for a counter that the cost model does not take
[[nodiscard]] std::optional<LaunchCosts> change_counters(const LaunchCosts& costs,
                                                         const std::vector<KernelReport>& kernels,
                                                         const std::vector<CounterChange>& changes,
                                                         const Dims& dims);

/// How much faster a run is after what a rung's `change` makes of its counters; 0 where the rung
/// does not say, or the cost model has nothing to go by.
/// @param own     the submission's own kernels in the run
/// @param all_ms  of all kernels
[[nodiscard]] double gain_of_change(const Rung& rung, const Dims& dims, const EmulatorReport& own,
                                    double all_ms);

}  // namespace warpgrade
