#include "emulator/driver/driver.h"

// Interprocess communication: the emulator's device is the program's own, so there is nothing to
// share. The runtime reports the call; libraries that only look for the functions find them.

using namespace warpsim::driver;

namespace {

/// The runtime's function of the same name, which reports the call.
CUresult refuse(cudaError_t (*RuntimeLibrary::*function)()) {
  return in_context([&](const RuntimeLibrary& runtime) { return (runtime.*function)(); });
}

}  // namespace

extern "C" {

CUresult cuIpcGetMemHandle(CUipcMemHandle*, CUdeviceptr) {
  return refuse(&RuntimeLibrary::cudaIpcGetMemHandle);
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr*, CUipcMemHandle, unsigned) {
  return refuse(&RuntimeLibrary::cudaIpcOpenMemHandle);
}

CUresult cuIpcCloseMemHandle(CUdeviceptr) {
  return refuse(&RuntimeLibrary::cudaIpcCloseMemHandle);
}

CUresult cuIpcGetEventHandle(CUipcEventHandle*, CUevent) {
  return refuse(&RuntimeLibrary::cudaIpcGetEventHandle);
}

CUresult cuIpcOpenEventHandle(CUevent*, CUipcEventHandle) {
  return refuse(&RuntimeLibrary::cudaIpcOpenEventHandle);
}

}  // extern "C"
