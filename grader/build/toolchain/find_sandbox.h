#pragma once

#include <string>

#include "grader/build/toolchain/toolchain.h"
#include "grader/core/installation.h"
#include "grader/process/sandbox/sandbox.h"

namespace warpgrade {

/// A sandbox, or why there is none.
struct SandboxProbe {
  Sandbox sandbox;
  std::string problem;  // one sentence with what to do; empty when it works
};

/// Tries bubblewrap out: an empty program, then a compilation by this toolchain. Takes a second
/// or so.
/// @throws EnvironmentError  if the compiler is not usable, with or without a sandbox
[[nodiscard]] SandboxProbe probe_sandbox(const Installation& installation,
                                         const Toolchain& toolchain);

/// The sandbox of a run, tried out once per process. The compilation is left out where it worked
/// before with the same compiler, bubblewrap, kernel and environment, as the user's cache says.
///
/// @param note  gets a sentence when `automatic` found none
/// @throws EnvironmentError  when `bubblewrap` was asked for and does not work here
[[nodiscard]] Sandbox find_sandbox(SandboxMode mode, const Installation& installation,
                                   const Toolchain& toolchain, std::string& note);

/// For a compilation that failed without a word about the submission: tries the compiler out, once
/// per process, so that no submission is blamed for a toolchain that broke since it was tried.
/// @throws EnvironmentError  if an empty kernel does not compile either
void require_working_compiler(const Toolchain& toolchain);

}  // namespace warpgrade
