#pragma once

#include <optional>

#include "emulator/device/card.h"

namespace warpsim::cudart {

/// The value of a device attribute by its number in cudaDeviceAttr; nothing for an unknown number.
/// Values that are equal for all of our cards were read from an H200.
[[nodiscard]] std::optional<int> device_attribute(const Card& card, int attribute, int device = 0);

}  // namespace warpsim::cudart
