#pragma once

#include <cstdint>

#include "emulator/cudart/frames.h"

// Host code has touched an address that it may not touch, or not yet.

namespace warpsim::cudart {

/// Memory that the device may still use, which is reported; or pages that were closed for nothing.
/// @returns true when the access can be repeated and succeeds
[[nodiscard]] bool goes_on_after_fault(std::uint64_t address, bool host_writes,
                                       const FaultPlace& place);
/// Reports an access to memory of the device. Nothing for another address.
void report_host_access(std::uint64_t address, const FaultPlace& place);

}  // namespace warpsim::cudart
