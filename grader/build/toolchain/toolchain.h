#pragma once

#include <filesystem>

#include "grader/build/toolchain/compiler.h"
#include "grader/core/installation.h"
#include "grader/process/sandbox/sandbox.h"

namespace warpgrade {

/// The programs that turn a submission into a worker.
struct Toolchain {
  Compiler compiler;
  std::filesystem::path cxx;  // g++
  std::filesystem::path ld;
  std::filesystem::path lld;  // the faster linker; empty where it is not installed
  std::filesystem::path objcopy;
  std::filesystem::path cudart;  // what to link against: the toolkit's libcudart.so; with clang the
                                 // emulator's
  Sandbox sandbox = {};  // that the tools run in

  /// Of the same binutils as objcopy.
  [[nodiscard]] std::filesystem::path objdump() const;
};

/// The compiler that is asked for; the others from PATH.
/// @throws EnvironmentError  naming the first that is missing and how to get it
[[nodiscard]] Toolchain find_toolchain(CompilerRequest request, const Installation& installation);

}  // namespace warpgrade
