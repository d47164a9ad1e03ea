#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/api.h"
#include "emulator/cudart/memory.h"

// Host memory that the device can use: pinned allocations and registered ranges. Host and device
// address are the same.

namespace warpsim::cudart {
namespace {

constexpr unsigned kHostAllocFlags =
    cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
constexpr unsigned kHostRegisterFlags = cudaHostRegisterPortable | cudaHostRegisterMapped |
                                        cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;

PointerView view(Call& call, const void* pointer) {
  return view_pointer(call.runtime.memory, pointer);
}

cudaError_t register_range(Call& call, void* pointer, size_t size, unsigned flags) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  if (pointer == nullptr || size == 0 || address > UINT64_MAX - size ||
      (flags & ~kHostRegisterFlags) != 0) {
    return cudaErrorInvalidValue;
  }
  GlobalMemory& memory = call.runtime.memory;
  if (memory.in_device_range(address)) return cudaErrorInvalidValue;
  // Enough for what programs do by mistake: registering the same buffer twice.
  if (memory.find(address) != nullptr || memory.find(address + size - 1) != nullptr) {
    return cudaErrorHostMemoryAlreadyRegistered;
  }
  const bool shared =
      memory.register_host(pointer, size, "registered host memory", current_device()) != nullptr;
  return shared ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t unregister_range(Call& call, void* pointer) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  const PointerView found = view(call, pointer);
  const bool registered = found.allocation != nullptr &&
                          found.allocation->kind == GlobalMemory::Kind::registered &&
                          found.allocation->base == found.address;
  if (!registered) return cudaErrorHostMemoryNotRegistered;
  call.runtime.waited_for_all(call.name);
  (void)call.runtime.memory.free(found.address, call.name);
  return cudaSuccess;
}

}  // namespace
}  // namespace warpsim::cudart

using namespace warpsim::cudart;
using warpsim::PointerView;

extern "C" {

cudaError_t cudaMallocHost(void** pointer, size_t size) {
  return api(__func__, [&](Call& call) { return allocate_pinned(call, pointer, size, call.name); });
}

cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned flags) {
  return api(__func__, [&](Call& call) {
    if ((flags & ~kHostAllocFlags) != 0) return cudaErrorInvalidValue;
    return allocate_pinned(call, pointer, size, call.name);
  });
}

cudaError_t cudaFreeHost(void* pointer) {
  return api(__func__, [&](Call& call) { return release_pinned(call, pointer); });
}

cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned flags) {
  return api(__func__, [&](Call& call) { return register_range(call, pointer, size, flags); });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return api(__func__, [&](Call& call) { return unregister_range(call, pointer); });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return api(__func__, [&](Call& call) {
    if (device == nullptr || flags != 0) return cudaErrorInvalidValue;
    if (view(call, host).memory != PointerView::Memory::pinned) return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return api(__func__, [&](Call& call) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    if (view(call, host).memory != PointerView::Memory::pinned) return cudaErrorInvalidValue;
    *flags = cudaHostAllocMapped | cudaHostAllocPortable;
    return cudaSuccess;
  });
}

}  // extern "C"
