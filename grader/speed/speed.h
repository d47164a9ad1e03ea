#pragma once

#include <optional>

#include "grader/grade/grade.h"
#include "grader/run/emulator_report.h"
#include "grader/score/score.h"

namespace warpgrade {

/// Gives each line of the report its share of the modelled time, as its counter kTimeMetric, in
/// milliseconds. What starting kernels and blocks costs is no line's.
void add_line_times(EmulatorReport& report);

/// Where the modelled time of the performance case goes, and what would shorten it; nothing where
/// that case is not right or the emulator did not count it.
[[nodiscard]] std::optional<SpeedReport> speed_of(const Evidence& evidence);

/// "1.9 times faster if the loads of line 14 were coalesced"
[[nodiscard]] std::string gain_words(const WhatIf& gain);

/// One line: "launches 22 %, global memory 61 %, waiting 17 %".
[[nodiscard]] std::string split_words(const SpeedReport& speed);

}  // namespace warpgrade
