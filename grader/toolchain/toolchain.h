#pragma once

#include <filesystem>
#include <string>

#include "grader/sandbox/sandbox.h"

namespace warpgrade {

/// The programs that turn a submission into a worker.
struct Toolchain {
  std::filesystem::path nvcc;
  std::filesystem::path cxx;  // g++
  std::filesystem::path ld;
  std::filesystem::path lld;  // the faster linker; empty where it is not installed
  std::filesystem::path objcopy;
  std::filesystem::path cudart_folder;  // with the toolkit's libcudart.so, to link against
  std::filesystem::path toolkit;  // the folder that nvcc calls its own; empty if it does not say
  std::string version;  // nvcc's release, "13.0"
  Sandbox sandbox = {};  // that the tools run in

  /// The toolkit's own nvcc: the one in PATH may be a script that needs more than a sandbox shows.
  [[nodiscard]] std::filesystem::path real_nvcc() const;
  /// Of the same binutils as objcopy.
  [[nodiscard]] std::filesystem::path objdump() const;
};

/// nvcc from PATH, CUDA_HOME, CUDA_PATH or /usr/local/cuda; the others from PATH.
/// @throws EnvironmentError  naming the first that is missing and how to get it
[[nodiscard]] Toolchain find_toolchain();

/// nvcc, or an empty path.
[[nodiscard]] std::filesystem::path find_nvcc();

/// The folder of a libcudart.so that belongs to this nvcc, or an empty path.
[[nodiscard]] std::filesystem::path find_cudart(const std::filesystem::path& nvcc);

}  // namespace warpgrade
