#pragma once

#include <cuda.h>

#include <type_traits>

#include "emulator/driver/contexts.h"
#include "emulator/driver/runtime_library.h"

namespace warpsim::driver {

/// The driver's code for a result of the runtime.
[[nodiscard]] CUresult result_of(cudaError_t error);

inline const void* host_pointer(CUdeviceptr pointer) {
  return reinterpret_cast<const void*>(pointer);
}
inline void* device_pointer(CUdeviceptr pointer) {
  return reinterpret_cast<void*>(pointer);
}

/// A call that needs cuInit(), as nearly all do. `body` gets the runtime and returns its result, or
/// a CUresult.
template <class Body>
CUresult initialized(Body body) {
  const RuntimeLibrary* const runtime = initialized_runtime();
  if (runtime == nullptr) return CUDA_ERROR_NOT_INITIALIZED;
  if constexpr (std::is_same_v<decltype(body(*runtime)), CUresult>) {
    return body(*runtime);
  } else {
    const cudaError_t error = body(*runtime);
    // The two APIs do not share a last error.
    if (error != cudaSuccess) (void)runtime->cudaGetLastError();
    return result_of(error);
  }
}

/// A call that needs a current context, too.
template <class Body>
CUresult in_context(Body body) {
  return initialized([&](const RuntimeLibrary& runtime) -> CUresult {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    return initialized([&](const RuntimeLibrary&) { return body(runtime); });
  });
}

/// A call on something that has a context itself: it needs no current one (measured on an H200).
/// Null, as for the default stream, is the current context's.
template <class Body>
CUresult in_context_of(const void* handle, Body body) {
  return handle == nullptr ? in_context(body) : initialized(body);
}

}  // namespace warpsim::driver
