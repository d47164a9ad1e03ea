#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/cost_model/launch_costs.h"
#include "grader/counters/emulator_report.h"
#include "grader/grade_record/speed_report.h"

namespace warpgrade {

/// A gain below this is not worth a sentence: the model is not that good.
inline constexpr double kLeastGain = 1.05;

/// Evaluates the cost model again with one cause removed at a time: accesses as close together as
/// their bytes allow, no bank conflicts, half the barriers, a multiprocessor full of warps, ...
/// About lines of the submission's own files, and kernels as wholes.
///
/// @return what gains at least kLeastGain, the largest first; equal ones by line
[[nodiscard]] std::vector<WhatIf> what_if(const EmulatorReport& report, const LaunchCosts& costs);

/// The time of a kernel's launches, with all the warps that a multiprocessor can hold, over that
/// without; 1 where it has them, or where there are no blocks to fill it with.
[[nodiscard]] double gain_of_full_occupancy(const EmulatorReport& report, const LaunchCosts& costs,
                                            std::size_t kernel);

/// "line 14", "lines 14 and 15", "tile.cuh:14": with the file's name only where kernels have lines
/// in several.
[[nodiscard]] std::string lines_phrase(const EmulatorReport& report,
                                       const std::vector<const KernelLine*>& lines);

}  // namespace warpgrade
