#pragma once

#include "grader/record/counters/emulator_report.h"

namespace warpgrade {

/// Gives each line of the report its share of the modelled time, as its counter kTimeMetric, in
/// milliseconds. The cost of starting kernels and blocks belongs to no line.
void add_line_times(EmulatorReport& report);

}  // namespace warpgrade
