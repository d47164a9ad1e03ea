#pragma once

#include "emulator/cudart/host_program.h"
#include "emulator/remote/device/session.h"

namespace warpsim::remote {

/// The program at the other end of a session's channels.
[[nodiscard]] cudart::HostProgram& remote_program(Session& session);

}  // namespace warpsim::remote
