#pragma once

#include <optional>

#include "grader/assess/lab_session.h"
#include "grader/grade/grade.h"
#include "grader/run/emulator_report.h"

namespace warpgrade {

/// Both programs' runs of the performance case under the roof of the card that was emulated.
/// Operations are f32 operations (a fused multiply-add is two); where neither program has any, warp
/// instructions. Bytes are the modelled traffic of the device's memory.
///
/// @return nothing for a card that the emulator does not have, or a reference without its counters
[[nodiscard]] std::optional<Roofline> roofline_of(const EmulatorReport& submission,
                                                  const ReferenceCost& reference);

}  // namespace warpgrade
