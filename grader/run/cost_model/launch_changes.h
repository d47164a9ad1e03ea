#pragma once

#include <cstddef>
#include <vector>

#include "grader/record/counters/emulator_report.h"
#include "grader/record/grade/speed_report.h"
#include "grader/run/cost_model/launch_costs.h"
#include "grader/run/cost_model/what_if.h"

namespace warpgrade {

inline constexpr double kWarp = 32;  // threads

/// Changes of whole launches instead of lines: occupancy, number and size of blocks, number of
/// threads, number of launches.
/// @param least_launches  that the task needs
/// @return those with a gain of at least kLeastGain, in no order
[[nodiscard]] std::vector<WhatIf> launch_changes(const EmulatorReport& report,
                                                 const LaunchCosts& costs,
                                                 std::size_t least_launches);

/// Whether all warps of the launches are resident at once, on most multiprocessors, and too few to
/// hide their latency.
[[nodiscard]] bool has_few_warps(const warpsim::CostInputs& launches, const warpsim::Card& card);

}  // namespace warpgrade
