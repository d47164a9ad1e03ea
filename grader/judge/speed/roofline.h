#pragma once

#include <optional>
#include <vector>

#include "grader/record/counters/emulator_report.h"
#include "grader/record/evidence/evidence.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// The roofline of the emulated card with points for the submission's run of the performance case,
/// the reference's and the ladder's stages. Operations are floating-point operations of every type
/// (a fused multiply-add is two) or, if the reference has none, warp instructions, which have no
/// peak. Bytes are the modelled DRAM traffic.
///
/// @param ladder  of the lab; stages counted on another card are left out
/// @return nothing for a card unknown to the emulator, or a reference without counters
[[nodiscard]] std::optional<Roofline> roofline_of(const EmulatorReport& submission,
                                                  const ReferenceCost& reference,
                                                  const std::vector<RungCost>& ladder = {});

/// The same for a measured time, with the peaks measured on the card; peaks that were not measured
/// are the data sheet's, if the emulator has the card. The work is what ncu counted in the timed
/// call; or what the emulator counted, if the sizes are equal; or the minimum for the task: each
/// array moved once, and the operations from lab.toml. The time of a function on host pointers
/// includes copies, so the time of its kernels is used if ncu measured it.
///
/// @return nothing if no limit of the card is known
[[nodiscard]] std::optional<Roofline> measured_roofline(const Timing& timing,
                                                        const Evidence& evidence,
                                                        const std::optional<CardProfile>& profile);

}  // namespace warpgrade
