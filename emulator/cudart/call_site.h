#pragma once

#include <array>
#include <string_view>

#include "emulator/checkers/host_findings.h"

namespace warpsim::cudart {

/// Return addresses from a call into the runtime outwards. Cheap to take and to keep; names are
/// looked up only when a finding is written.
struct Frames {
  std::array<const void*, 4> addresses = {};
};

/// The frames from `return_address` (of an exported function) outwards. More than one is needed
/// because the toolkit's headers wrap some calls in templates: `cudaMalloc<float>`.
[[nodiscard]] Frames capture_frames(const void* return_address);

/// The first frame in the program's own code.
[[nodiscard]] CallSite resolve(std::string_view api, const Frames& frames);
/// The same for a signal handler: the first frame in the program's own code at or around the
/// faulting instruction, which itself may be in the C library's memcpy.
[[nodiscard]] CallSite resolve_fault(const void* instruction);
/// Forgets what addresses stand for: a library was unloaded, and another may take its place.
void forget_call_sites();

}  // namespace warpsim::cudart
