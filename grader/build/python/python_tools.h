#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/build/toolchain/toolchain.h"

namespace warpgrade {

/// What submissions in Python need on this machine.
struct PythonTools {
  std::filesystem::path interpreter;  // with Numba
  std::string version;  // "Numba 0.56.4": as a grade records it
  std::filesystem::path nvvm;  // libnvvm.so, with which Numba compiles kernels
  std::filesystem::path libdevice;  // libdevice.10.bc
  std::filesystem::path libraries;  // the toolkit's folder of libraries
};

/// Looks for a Python with Numba: as WARPGRADE_PYTHON says, else python3 in PATH and the system's;
/// and for libNVVM in the compiler's toolkit, CUDA_HOME, CUDA_PATH and /usr/local/cuda. Found once
/// per process.
/// @throws EnvironmentError  naming what is missing and how to get it
[[nodiscard]] const PythonTools& find_python_tools(const Toolchain& toolchain);

/// The newest libnvvm.so of a toolkit: NVIDIA's installer and its packages on PyPI have it in
/// different folders. Empty if there is none.
[[nodiscard]] std::filesystem::path find_libnvvm(const std::filesystem::path& toolkit);

}  // namespace warpgrade
