#pragma once

#include <optional>

#include "grader/build/toolchain/compiler.h"
#include "grader/process/sandbox/sandbox.h"
#include "grader/run/device/device.h"
#include "grader/run/session/run_options.h"

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

/// Adds these three, and --profile.
void add_run_options(CLI::App& command, RunOptions& options);

}  // namespace warpgrade
