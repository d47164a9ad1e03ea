#include "emulator/cudart/abi.h"
#include "emulator/cudart/managed.h"
#include "emulator/cudart/properties.h"

namespace warpsim::cudart {

const int kRuntimeVersion = 13000;
const cudaError_t kRefusedConfiguration = cudaErrorInvalidValue;

extern "C" {

cudaError_t get_device_properties(DeviceProperties13* properties, int device)
    WARPSIM_EXPORT_AS("cudaGetDeviceProperties");
cudaError_t choose_device(int* device, const DeviceProperties13* properties)
    WARPSIM_EXPORT_AS("cudaChooseDevice");
cudaError_t pointer_get_attributes(PointerAttributes13* attributes, const void* pointer)
    WARPSIM_EXPORT_AS("cudaPointerGetAttributes");
cudaError_t mem_prefetch_async(const void* pointer, size_t bytes, MemoryLocation where,
                               unsigned flags, cudaStream_t stream)
    WARPSIM_EXPORT_AS("cudaMemPrefetchAsync");
cudaError_t mem_prefetch_async_ptsz(const void* pointer, size_t bytes, MemoryLocation where,
                                    unsigned flags, cudaStream_t stream)
    WARPSIM_EXPORT_AS("cudaMemPrefetchAsync_ptsz");
cudaError_t mem_advise(const void* pointer, size_t bytes, int advice, MemoryLocation where)
    WARPSIM_EXPORT_AS("cudaMemAdvise");

cudaError_t get_device_properties(DeviceProperties13* properties, int device) {
  return query("cudaGetDeviceProperties", [&](Call& call) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (properties == nullptr) return cudaErrorInvalidValue;
    fill_common_properties(*properties, call.runtime.card);
    properties->hostNumaId = -1;
    properties->deviceNumaId = -1;
    return cudaSuccess;
  });
}

cudaError_t choose_device(int* device, const DeviceProperties13* properties) {
  return query("cudaChooseDevice", [&](Call&) {
    if (device == nullptr || properties == nullptr) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t pointer_get_attributes(PointerAttributes13* attributes, const void* pointer) {
  return query("cudaPointerGetAttributes", [&](Call& call) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    *attributes = {};
    return fill_pointer_attributes(call, &attributes->common, pointer);
  });
}

cudaError_t mem_prefetch_async(const void* pointer, size_t bytes, MemoryLocation where,
                               unsigned flags, cudaStream_t stream) {
  return api("cudaMemPrefetchAsync", [&](Call& call) {
    if (flags != 0) return cudaErrorInvalidValue;
    return prefetch(call, pointer, bytes, where, stream);
  });
}

cudaError_t mem_prefetch_async_ptsz(const void* pointer, size_t bytes, MemoryLocation where,
                                    unsigned flags, cudaStream_t stream) {
  return mem_prefetch_async(pointer, bytes, where, flags, stream);
}

cudaError_t mem_advise(const void* pointer, size_t bytes, int, MemoryLocation where) {
  return api("cudaMemAdvise", [&](Call& call) { return advise(call, pointer, bytes, where); });
}

}  // extern "C"
}  // namespace warpsim::cudart
