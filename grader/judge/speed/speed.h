#pragma once

#include <optional>

#include "grader/record/counters/emulator_report.h"
#include "grader/record/evidence/evidence.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// The parts of the modelled time of the performance case, and what would shorten it; nothing if
/// that case is not right or the emulator did not count it.
[[nodiscard]] std::optional<SpeedReport> speed_of(const Evidence& evidence);

/// Turns gains of the kernels' time into gains of the whole call, in which copies hide a part of
/// it. For labs that are timed on the timeline.
void measure_on_timeline(SpeedReport& speed);

/// "1.9 times faster if the loads of line 14 were coalesced"
[[nodiscard]] std::string gain_words(const WhatIf& gain);

/// One line: "launches 22 %, global memory 61 %, waiting 17 %".
[[nodiscard]] std::string split_words(const SpeedReport& speed);

}  // namespace warpgrade
