#pragma once

#include <string>

#include "grader/record/grade/speed_report.h"

namespace warpgrade {

/// The timeline as a scalable SVG: a lane for the host's waits, one per stream and one per engine,
/// bars in the colours of the classes `t-kernel`, `t-copy`, ...; empty without bars.
[[nodiscard]] std::string timeline_svg(const SpeedReport& speed);

}  // namespace warpgrade
