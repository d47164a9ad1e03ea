#pragma once

#include <optional>
#include <vector>

#include "grader/counters/emulator_report.h"
#include "grader/evidence/evidence.h"
#include "grader/grade_record/grade.h"

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

/// The same of a measured time, under the roof that was measured on the card; peaks that nobody
/// measured are the data sheet's, where the card is one that the emulator has. What the programs
/// did is what ncu counted in that very call; or the emulator, if the call had the size that it
/// counted; or what the task takes: its arrays moved once, and the operations that lab.toml names.
/// The time of a function on host pointers has copies in it: there the kernels' own is taken, where
/// ncu knows it.
///
/// @return nothing where no limit of the card is known
[[nodiscard]] std::optional<Roofline> measured_roofline(const Timing& timing,
                                                        const Evidence& evidence,
                                                        const std::optional<CardProfile>& profile);

}  // namespace warpgrade
