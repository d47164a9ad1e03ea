#pragma once

#include <string>
#include <vector>

#include "grader/record/grade/speed_report.h"
#include "grader/show/report/sections.h"

namespace warpgrade {

/// The parts of the modelled time as a bar and a table of lines, what would shorten it, and the
/// effect of occupancy.
[[nodiscard]] PageData speed_section(const SpeedReport& speed, const Pages& pages);

/// The same for a terminal: the parts, then the largest gains; one paragraph each.
[[nodiscard]] std::vector<std::string> speed_lines(const SpeedReport& speed);

}  // namespace warpgrade
