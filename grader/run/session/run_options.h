#pragma once

#include <optional>

#include "grader/build/toolchain/compiler.h"
#include "grader/process/sandbox/sandbox.h"
#include "grader/run/device/device.h"

namespace warpgrade {

/// How submissions are compiled and run: what a command's options say of it.
struct RunOptions {
  std::optional<CompilerRequest> compiler = {};  // nothing: what the course says, else automatic
  DeviceRequest device = DeviceRequest::automatic;
  /// For students' code; a lab's own files need none.
  SandboxMode sandbox = SandboxMode::none;
  bool profile = false;  // on a GPU, under NVIDIA's tools, too
};

}  // namespace warpgrade
