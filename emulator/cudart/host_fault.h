#pragma once

#include <cstdint>

#include "emulator/cudart/frames.h"

// Faults of host code at addresses that it may not access, or not yet.

namespace warpsim::cudart {

/// For memory that the device may still use, which is reported, or pages that were protected
/// needlessly.
/// @returns true if the access can be repeated and succeeds
[[nodiscard]] bool goes_on_after_fault(std::uint64_t address, bool host_writes,
                                       const FaultPlace& place);
/// Reports an access to device memory. Nothing for other addresses.
void report_host_access(std::uint64_t address, const FaultPlace& place);

}  // namespace warpsim::cudart
