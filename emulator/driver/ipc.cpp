#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "emulator/driver/driver.h"
#include "emulator/driver/interprocess_events.h"
#include "emulator/driver/library_entry.h"

// Interprocess communication. Handles are made as on a card; opening one in the process that made
// it is refused as on a card, and the memory of another process is not here: each process has a
// device of its own.

using namespace warpsim::driver;

namespace {

constexpr std::uint64_t kMagic = 0x6970632d77617270;

/// What a handle of 64 bytes contains.
struct HandleContents {
  std::uint64_t magic = kMagic;
  std::int64_t process = 0;
  std::uint64_t object = 0;  // an address, or an event
};

template <class Handle>
Handle make_handle(std::uint64_t object) {
  const HandleContents contents = {.process = ::getpid(), .object = object};
  Handle handle = {};
  static_assert(sizeof contents <= sizeof handle);
  std::memcpy(&handle, &contents, sizeof contents);
  return handle;
}

/// @param name  of the function, a literal
/// @param runtime_function  of the same purpose, which reports that it is lacking
template <class Handle>
CUresult open_handle(const char* name, const void* return_address, const Handle& handle,
                     cudaError_t (*RuntimeLibrary::*runtime_function)()) {
  return in_context([&](const RuntimeLibrary& runtime) -> CUresult {
    HandleContents contents;
    std::memcpy(static_cast<void*>(&contents), &handle, sizeof contents);
    if (contents.magic != kMagic) return CUDA_ERROR_INVALID_VALUE;
    if (contents.process != ::getpid()) {
      return initialized([&](const RuntimeLibrary&) { return (runtime.*runtime_function)(); });
    }
    if (const warpsim::cudart::LibraryEntryPoints* const entry = library_entry()) {
      entry->refuse(name, return_address,
                    {.got = "the handle was made by this process",
                     .want = "a handle of another process; in this one the pointer or the event "
                             "itself can be used",
                     .status = "CUDA_ERROR_INVALID_CONTEXT"});
    }
    return CUDA_ERROR_INVALID_CONTEXT;
  });
}

}  // namespace

extern "C" {

CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr pointer) {
  return in_context([&](const RuntimeLibrary&) {
    CUdeviceptr base = 0;
    size_t bytes = 0;
    if (handle == nullptr || !find_allocation(pointer, base, bytes)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *handle = make_handle<CUipcMemHandle>(base);
    return CUDA_SUCCESS;
  });
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned flags) {
  if (pointer == nullptr || flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return open_handle("cuIpcOpenMemHandle", __builtin_return_address(0), handle,
                     &RuntimeLibrary::cudaIpcOpenMemHandle);
}

/// No memory of another process can have been opened.
CUresult cuIpcCloseMemHandle(CUdeviceptr) {
  return in_context([](const RuntimeLibrary&) { return CUDA_ERROR_INVALID_VALUE; });
}

CUresult cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event) {
  return in_context([&](const RuntimeLibrary&) {
    if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!is_interprocess(event)) return CUDA_ERROR_INVALID_HANDLE;
    *handle = make_handle<CUipcEventHandle>(reinterpret_cast<std::uint64_t>(event));
    return CUDA_SUCCESS;
  });
}

CUresult cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle handle) {
  if (event == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return open_handle("cuIpcOpenEventHandle", __builtin_return_address(0), handle,
                     &RuntimeLibrary::cudaIpcOpenEventHandle);
}

}  // extern "C"
