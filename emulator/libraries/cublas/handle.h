#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "emulator/libraries/cublas/types.h"
#include "emulator/libraries/registry.h"

namespace warpsim::cublas {

/// cublasHandle_t. The modes are kept; only that of pointers changes what calls do.
struct Handle {
  cudaStream_t stream = nullptr;
  PointerMode pointer_mode = PointerMode::host;
  int atomics_mode = 0;
  int math_mode = 0;
  int multiprocessors = 0;  // cublasSetSmCountTarget
};

/// Whether the program has created the handle and not yet destroyed it.
[[nodiscard]] inline bool is_live(const Handle* handle) {
  return libraries::registry<Handle>().has(handle);
}

}  // namespace warpsim::cublas
