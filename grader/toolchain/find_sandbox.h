#pragma once

#include <string>

#include "grader/core/installation.h"
#include "grader/sandbox/sandbox.h"
#include "grader/toolchain/toolchain.h"

namespace warpgrade {

/// A sandbox, or why there is none.
struct SandboxProbe {
  Sandbox sandbox;
  std::string problem;  // one sentence with what to do; empty when it works
};

/// Tries bubblewrap out: an empty program, then a compilation by this toolchain. Takes a second
/// or so.
[[nodiscard]] SandboxProbe probe_sandbox(const Installation& installation,
                                         const Toolchain& toolchain);

/// The sandbox of a run: tried out once a process.
///
/// @param note  gets a sentence when `automatic` found none
/// @throws EnvironmentError  when `bubblewrap` was asked for and does not work here
[[nodiscard]] Sandbox find_sandbox(SandboxMode mode, const Installation& installation,
                                   const Toolchain& toolchain, std::string& note);

}  // namespace warpgrade
