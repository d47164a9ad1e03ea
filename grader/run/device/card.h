#pragma once

#include <optional>
#include <string>

#include "grader/build/toolchain/toolchain.h"
#include "grader/record/grade/grade.h"
#include "grader/run/device/device.h"

namespace warpgrade {

/// The card's current state, from NVIDIA's management library; nothing without it.
[[nodiscard]] std::optional<CardState> read_card_state(const std::string& uuid);

/// The driver's version, from the same library; empty without it.
[[nodiscard]] std::string driver_version();

/// "sw-power-cap, hw-slowdown": the library's bits of clock throttle reasons, in words.
[[nodiscard]] std::string throttle_words(unsigned long long reasons);

/// The card's peaks, measured by card_probe.cu once for each card and driver and cached in
/// XDG_CACHE_HOME/warpgrade. Nothing if it cannot be built or run. The caller must hold the GPU's
/// lock.
[[nodiscard]] std::optional<CardPeaks> measure_card_peaks(const Toolchain& toolchain,
                                                          const Device& device);

}  // namespace warpgrade
