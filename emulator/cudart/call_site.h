#pragma once

#include <string_view>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/frames.h"

namespace warpsim::cudart {

/// The first frame in the program's own code.
[[nodiscard]] CallSite resolve(std::string_view api, const Frames& frames);
/// The first frame in the program's own code at or around the faulting instruction, which itself
/// may be in the C library's memcpy, or in a library of the emulator.
[[nodiscard]] CallSite resolve_fault(const FaultStack& stack);
/// Clears the cache of addresses: a library was unloaded, and another may be loaded at its address.
void forget_call_sites();

}  // namespace warpsim::cudart
