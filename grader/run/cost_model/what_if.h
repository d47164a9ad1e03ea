#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/record/counters/emulator_report.h"
#include "grader/record/grade/speed_report.h"
#include "grader/run/cost_model/launch_costs.h"

namespace warpgrade {

/// Smaller gains are not reported: the model is not accurate enough.
inline constexpr double kLeastGain = 1.05;

/// Evaluates the cost model again with one cause removed at a time: perfectly coalesced accesses,
/// no bank conflicts, half the barriers, full occupancy, ... For lines of the submission's own
/// files and for whole kernels.
///
/// @param least_launches  that the task needs: one for each function of its contract
/// @return changes with a gain of at least kLeastGain, the largest first, then by line
[[nodiscard]] std::vector<WhatIf> what_if(const EmulatorReport& report, const LaunchCosts& costs,
                                          std::size_t least_launches = 1);

/// The speed-up of a kernel's launches at full occupancy; 1 if occupancy is full already, or if
/// there are too few blocks.
[[nodiscard]] double gain_of_full_occupancy(const EmulatorReport& report, const LaunchCosts& costs,
                                            std::size_t kernel);

/// "line 14", "lines 14 and 15", "tile.cuh:14": with the file's name only if kernels have lines in
/// several files.
[[nodiscard]] std::string lines_phrase(const EmulatorReport& report,
                                       const std::vector<const KernelLine*>& lines);

}  // namespace warpgrade
