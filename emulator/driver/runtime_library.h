#pragma once

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

namespace warpsim::driver {

/// The CUDA runtime of this program, so that both APIs share the device: the one that it has loaded
/// (of CUDA 12 or 13), else libcudart.so.13 beside this library.
struct RuntimeLibrary {
#pragma GCC diagnostic push  // some of the runtime's functions are deprecated
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define WARPSIM_RUNTIME_FUNCTION(name) decltype(&::name) name = nullptr;
#define WARPSIM_RUNTIME_FORM(name, form) decltype(&::name) form = nullptr;
#include "emulator/driver/runtime_functions.inc"
#undef WARPSIM_RUNTIME_FORM
#undef WARPSIM_RUNTIME_FUNCTION
#pragma GCC diagnostic pop

  /// The program uses the runtime itself, which makes the primary context current when needed.
  bool of_program = false;

  /// Null if there is none; a line on stderr said why.
  static const RuntimeLibrary* get();
};

}  // namespace warpsim::driver
