#pragma once

#include <string>
#include <vector>

#include "grader/grade_record/speed_report.h"
#include "grader/report/sections.h"

namespace warpgrade {

/// Where the modelled time goes, as a bar and a table of lines, what would shorten it, and what
/// occupancy has to do with it.
[[nodiscard]] PageData speed_section(const SpeedReport& speed, const Pages& pages);

/// The same for a terminal: the split, then what would gain most; one paragraph each.
[[nodiscard]] std::vector<std::string> speed_lines(const SpeedReport& speed);

}  // namespace warpgrade
