#include <cstring>

#include "emulator/driver/driver.h"

// Interprocess communication. Handles are the runtime's.

using namespace warpsim::driver;

namespace {

/// The other API's type of the same 64 bytes.
template <class To, class From>
To same_handle(const From& from) {
  To to = {};
  static_assert(sizeof to == sizeof from);
  std::memcpy(static_cast<void*>(&to), &from, sizeof to);
  return to;
}

}  // namespace

extern "C" {

CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr pointer) {
  return in_context([&](const RuntimeLibrary& runtime) {
    if (handle == nullptr) return cudaErrorInvalidValue;
    cudaIpcMemHandle_t made = {};
    const cudaError_t error = runtime.cudaIpcGetMemHandle(&made, device_pointer(pointer));
    if (error == cudaSuccess) *handle = same_handle<CUipcMemHandle>(made);
    return error;
  });
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned flags) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaIpcOpenMemHandle(reinterpret_cast<void**>(pointer),
                                        same_handle<cudaIpcMemHandle_t>(handle), flags);
  });
}

CUresult cuIpcCloseMemHandle(CUdeviceptr pointer) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaIpcCloseMemHandle(device_pointer(pointer));
  });
}

CUresult cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event) {
  return in_context([&](const RuntimeLibrary& runtime) {
    if (handle == nullptr) return cudaErrorInvalidValue;
    cudaIpcEventHandle_t made = {};
    const cudaError_t error = runtime.cudaIpcGetEventHandle(&made, event);
    if (error == cudaSuccess) *handle = same_handle<CUipcEventHandle>(made);
    return error;
  });
}

CUresult cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle handle) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaIpcOpenEventHandle(event, same_handle<cudaIpcEventHandle_t>(handle));
  });
}

}  // extern "C"
