#pragma once

#include <optional>
#include <string>

#include "grader/device/device.h"
#include "grader/grade_record/grade.h"
#include "grader/toolchain/toolchain.h"

namespace warpgrade {

/// How the card is now, by NVIDIA's management library; nothing where that is not here.
[[nodiscard]] std::optional<CardState> read_card_state(const std::string& uuid);

/// The driver's version, by the same library; empty where it is not here.
[[nodiscard]] std::string driver_version();

/// "sw-power-cap, hw-slowdown": the bits of the library's reasons for a lower clock, in words.
[[nodiscard]] std::string throttle_words(unsigned long long reasons);

/// What the card can do, measured by card_probe.cu: once for each card and
/// driver, kept in XDG_CACHE_HOME/warpgrade. Nothing when it cannot be built or run.
/// Whoever calls this has the GPU's lock.
[[nodiscard]] std::optional<CardPeaks> measure_card_peaks(const Toolchain& toolchain,
                                                          const Device& device);

}  // namespace warpgrade
