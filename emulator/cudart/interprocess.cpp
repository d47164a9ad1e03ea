#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "emulator/checkers/host_library.h"
#include "emulator/cudart/api.h"

// Interprocess communication, also the driver API's. Handles are made as on a card; opening one in
// the process that made it is refused as on a card (measured on an H200), and the memory of another
// process is not here: each process has an emulated device of its own.

namespace warpsim::cudart {
namespace {

constexpr std::uint64_t kHandleMagic = 0x6970632d77617270;

/// What a handle of 64 bytes contains.
struct InterprocessHandle {
  std::uint64_t magic = kHandleMagic;
  std::int64_t process = ::getpid();
  std::uint64_t object = 0;  // an address, or an event
};

template <class Handle>
Handle interprocess_handle(const void* object) {
  const InterprocessHandle contents = {.object = reinterpret_cast<std::uint64_t>(object)};
  Handle handle = {};
  static_assert(sizeof contents <= sizeof handle);
  std::memcpy(static_cast<void*>(&handle), &contents, sizeof contents);
  return handle;
}

template <class Handle>
cudaError_t refuse_handle(Call& call, const Handle& handle) {
  InterprocessHandle contents;
  std::memcpy(static_cast<void*>(&contents), &handle, sizeof contents);
  if (contents.magic != kHandleMagic) return cudaErrorInvalidValue;
  if (contents.process == ::getpid()) {
    call.runtime.report(
        refused_argument(call.site(), "the handle was made by this process",
                         "a handle of another process; in this one the pointer or the event "
                         "itself can be used",
                         "cudaErrorDeviceUninitialized (CUDA_ERROR_INVALID_CONTEXT)"));
    return cudaErrorDeviceUninitialized;
  }
  call.runtime.report(unsupported_argument(
      call.site(), "the handle was made by another process",
      "one process for the whole program: each process has an emulated device of its own, whose "
      "memory no other process can use",
      "cudaErrorNotSupported"));
  return cudaErrorNotSupported;
}

/// The base of an allocation of the device that other processes could open: no memory of a pool,
/// and none that is mapped by cuMemMap.
cudaError_t make_memory_handle(Call& call, cudaIpcMemHandle_t* handle, const void* pointer) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  const PointerView view = view_pointer(call.runtime.memory, pointer);
  if (view.memory != PointerView::Memory::device) return cudaErrorInvalidValue;
  const GlobalMemory::Allocation& allocation = *view.allocation;
  if (allocation.kind != GlobalMemory::Kind::device || allocation.pool_access != nullptr) {
    return cudaErrorInvalidValue;
  }
  *handle = interprocess_handle<cudaIpcMemHandle_t>(reinterpret_cast<const void*>(allocation.base));
  return cudaSuccess;
}

cudaError_t make_event_handle(Call& call, cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  const Event* const found = call.runtime.events.find(event);
  if (found == nullptr || (found->flags & unsigned{cudaEventInterprocess}) == 0) {
    return cudaErrorInvalidResourceHandle;
  }
  *handle = interprocess_handle<cudaIpcEventHandle_t>(event);
  return cudaSuccess;
}

}  // namespace
}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  return api(__func__, [&](Call& call) { return make_memory_handle(call, handle, pointer); });
}

cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned flags) {
  return api(__func__, [&](Call& call) {
    if (pointer == nullptr || flags != cudaIpcMemLazyEnablePeerAccess) return cudaErrorInvalidValue;
    return refuse_handle(call, handle);
  });
}

/// No memory of another process can have been opened.
cudaError_t cudaIpcCloseMemHandle(void*) {
  return api(__func__, [](Call&) { return cudaErrorInvalidValue; });
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  return api(__func__, [&](Call& call) { return make_event_handle(call, handle, event); });
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  return api(__func__, [&](Call& call) {
    return event == nullptr ? cudaErrorInvalidValue : refuse_handle(call, handle);
  });
}

}  // extern "C"
