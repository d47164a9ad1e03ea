#pragma once

#include <optional>
#include <vector>

#include "grader/assess/lab_session.h"
#include "grader/grade/grade.h"
#include "grader/run/emulator_report.h"

namespace warpgrade {

/// The submission's run of the performance case, the reference's and those of the ladder's stages
/// under the roof of the card that was emulated. Operations are those on floats of every type (a
/// fused multiply-add is two); where the reference has none, warp instructions, which have no roof.
/// Bytes are the modelled traffic of the device's memory.
///
/// @param ladder  of the lab; those counted on another card are left out
/// @return nothing for a card that the emulator does not have, or a reference without its counters
[[nodiscard]] std::optional<Roofline> roofline_of(const EmulatorReport& submission,
                                                  const ReferenceCost& reference,
                                                  const std::vector<RungCost>& ladder = {});

}  // namespace warpgrade
