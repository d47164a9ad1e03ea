#pragma once

#include "grader/device/device.h"
#include "grader/sandbox/sandbox.h"

namespace CLI {
class App;
}

namespace warpgrade {

/// Adds --device auto|cuda|emulator.
void add_device_option(CLI::App& command, DeviceRequest& device);

/// Adds --sandbox auto|bubblewrap|none.
void add_sandbox_option(CLI::App& command, SandboxMode& sandbox);

/// Adds --profile.
void add_profile_option(CLI::App& command, bool& profile);

}  // namespace warpgrade
