#pragma once

#include <optional>

#include "emulator/device/card.h"

namespace warpsim::cudart {

/// The value of a device attribute by its number in cudaDeviceAttr; nothing for a number that is
/// none. Values that no card of ours differs in were read from an H200.
[[nodiscard]] std::optional<int> device_attribute(const Card& card, int attribute);

}  // namespace warpsim::cudart
