#pragma once

#include <span>

#include "emulator/cudart/announced_call.h"
#include "emulator/cudart/outputs_file.h"
#include "emulator/cudart/sent_to_host.h"
#include "emulator/machine/memory.h"

namespace warpsim::cudart {

/// The announced arrays with the bytes of the outputs as they are now: those in device memory from
/// there, those in host memory as host code sees them, held against what the device has sent.
///
/// @param sent  null: nothing is known of it, and no byte is foreign
[[nodiscard]] DeliveredCall freeze_outputs(std::span<const AnnouncedArray> arrays,
                                           const GlobalMemory& memory, const SentToHost* sent);

}  // namespace warpsim::cudart
