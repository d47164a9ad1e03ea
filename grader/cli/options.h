#pragma once

#include <optional>

#include "grader/device/device.h"
#include "grader/sandbox/sandbox.h"
#include "grader/toolchain/compiler.h"

namespace CLI {
class App;
}

namespace warpgrade {

/// Adds --compiler auto|nvcc|clang; without it `compiler` stays empty.
void add_compiler_option(CLI::App& command, std::optional<CompilerRequest>& compiler);

/// Adds --device auto|cuda|emulator.
void add_device_option(CLI::App& command, DeviceRequest& device);

/// Adds --sandbox auto|bubblewrap|none.
void add_sandbox_option(CLI::App& command, SandboxMode& sandbox);

/// Adds --profile.
void add_profile_option(CLI::App& command, bool& profile);

}  // namespace warpgrade
