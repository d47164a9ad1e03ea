#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "emulator/fatbin/fatbin.h"

// What a linker of device code makes of several units: one container with the PTX of all, which a
// program may copy and load as it would load a cubin. read_fatbin() gives the units back.

namespace warpsim::fatbin {

/// @param units  in the order in which they were added; `architecture` is kept for messages
/// @param max_registers  per thread, for all units; 0: as each unit says
/// @returns the bytes of the image
[[nodiscard]] std::string write_linked_image(std::span<const Image> units,
                                             std::uint32_t max_registers);

}  // namespace warpsim::fatbin
