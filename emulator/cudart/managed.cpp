#include "emulator/cudart/managed.h"

#include "emulator/checkers/host_findings.h"

namespace warpsim::cudart {
namespace {

constexpr int kNoDevice = -2;  // measured: the real runtime's value for unknown memory

/// Both hints require managed memory and an existing device.
cudaError_t check_hint(Call& call, const void* pointer, size_t bytes, MemoryLocation where) {
  if (where.type == kLocationDevice && !call.runtime.has_device(where.id)) {
    return cudaErrorInvalidDevice;
  }
  const PointerView view = view_pointer(call.runtime.memory, pointer);
  if (bytes == 0 || view.memory != PointerView::Memory::managed) return cudaErrorInvalidValue;
  const std::uint64_t room = view.allocation->size - (view.address - view.allocation->base);
  // Rounded up, because hints concern whole pages.
  constexpr std::uint64_t kGranularity = 4096;
  return bytes <= (room + kGranularity - 1) / kGranularity * kGranularity ? cudaSuccess
                                                                          : cudaErrorInvalidValue;
}

}  // namespace

cudaError_t prefetch(Call& call, const void* pointer, size_t bytes, MemoryLocation where,
                     cudaStream_t stream) {
  Runtime& runtime = call.runtime;
  if (runtime.streams.find(stream) == nullptr) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t error = check_hint(call, pointer, bytes, where)) return error;
  if (runtime.streams.defers(stream)) return cudaSuccess;
  const auto begin = reinterpret_cast<std::uint64_t>(pointer);
  return runtime.streams.submit(
      stream, {.run = [&] {
        const int target = where.type == kLocationDevice ? where.id : ManagedPages::kHost;
        runtime.time.prefetch(*runtime.memory.find(begin), begin, begin + bytes, target);
        return cudaSuccess;
      }});
}

cudaError_t advise(Call& call, const void* pointer, size_t bytes, MemoryLocation where) {
  return check_hint(call, pointer, bytes, where);
}

cudaError_t fill_pointer_attributes(Call& call, PointerAttributes12* attributes,
                                    const void* pointer) {
  using Memory = PointerView::Memory;
  if (attributes == nullptr) return cudaErrorInvalidValue;
  const PointerView view = view_pointer(call.runtime.memory, pointer);
  void* address = const_cast<void*>(pointer);
  *attributes = {.type = cudaMemoryTypeUnregistered,
                 .device = kNoDevice,
                 .devicePointer = nullptr,
                 .hostPointer = address};
  if (!view.on_device()) return cudaSuccess;
  attributes->device = view.allocation->device;
  attributes->devicePointer = address;
  attributes->hostPointer = view.on_host() ? address : nullptr;
  attributes->type = view.memory == Memory::managed  ? cudaMemoryTypeManaged
                     : view.memory == Memory::pinned ? cudaMemoryTypeHost
                                                     : cudaMemoryTypeDevice;
  return cudaSuccess;
}

}  // namespace warpsim::cudart
