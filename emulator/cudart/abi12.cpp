#include "emulator/cudart/abi.h"
#include "emulator/cudart/managed.h"
#include "emulator/cudart/properties.h"

namespace warpsim::cudart {

const int kRuntimeVersion = 12080;
const cudaError_t kRefusedConfiguration = cudaErrorInvalidConfiguration;

extern "C" {

cudaError_t get_device_properties(DeviceProperties12* properties, int device)
    WARPSIM_EXPORT_AS("cudaGetDeviceProperties_v2");
cudaError_t choose_device(int* device, const DeviceProperties12* properties)
    WARPSIM_EXPORT_AS("cudaChooseDevice");
cudaError_t pointer_get_attributes(PointerAttributes12* attributes, const void* pointer)
    WARPSIM_EXPORT_AS("cudaPointerGetAttributes");
cudaError_t mem_prefetch_async(const void* pointer, size_t bytes, int device, cudaStream_t stream)
    WARPSIM_EXPORT_AS("cudaMemPrefetchAsync");
cudaError_t mem_prefetch_async_v2(const void* pointer, size_t bytes, MemoryLocation where,
                                  unsigned flags, cudaStream_t stream)
    WARPSIM_EXPORT_AS("cudaMemPrefetchAsync_v2");
cudaError_t mem_advise(const void* pointer, size_t bytes, int advice, int device)
    WARPSIM_EXPORT_AS("cudaMemAdvise");
cudaError_t mem_advise_v2(const void* pointer, size_t bytes, int advice, MemoryLocation where)
    WARPSIM_EXPORT_AS("cudaMemAdvise_v2");
cudaError_t event_elapsed_time_v2(float* ms, cudaEvent_t start, cudaEvent_t end)
    WARPSIM_EXPORT_AS("cudaEventElapsedTime_v2");
cudaError_t thread_synchronize() WARPSIM_EXPORT_AS("cudaThreadSynchronize");
cudaError_t thread_exit() WARPSIM_EXPORT_AS("cudaThreadExit");

cudaError_t get_device_properties(DeviceProperties12* properties, int device) {
  return query("cudaGetDeviceProperties", [&](Call& call) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (properties == nullptr) return cudaErrorInvalidValue;
    const Card& card = call.runtime.card;
    fill_common_properties(*properties, card);
    properties->clockRate = card.clock_khz;
    properties->memoryClockRate = card.memory_clock_khz;
    properties->deviceOverlap = 1;
    properties->maxTexture1DLinear =
        device_attribute(card, cudaDevAttrMaxTexture1DLinearWidth).value_or(0);
    properties->singleToDoublePrecisionPerfRatio =
        device_attribute(card, cudaDevAttrSingleToDoublePrecisionPerfRatio).value_or(0);
    return cudaSuccess;
  });
}

cudaError_t choose_device(int* device, const DeviceProperties12* properties) {
  return query("cudaChooseDevice", [&](Call&) {
    if (device == nullptr || properties == nullptr) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t pointer_get_attributes(PointerAttributes12* attributes, const void* pointer) {
  return query("cudaPointerGetAttributes",
               [&](Call& call) { return fill_pointer_attributes(call, attributes, pointer); });
}

cudaError_t mem_prefetch_async(const void* pointer, size_t bytes, int device, cudaStream_t stream) {
  return api("cudaMemPrefetchAsync", [&](Call& call) {
    return prefetch(call, pointer, bytes, location_of_device(device), stream);
  });
}

cudaError_t mem_prefetch_async_v2(const void* pointer, size_t bytes, MemoryLocation where,
                                  unsigned flags, cudaStream_t stream) {
  return api("cudaMemPrefetchAsync", [&](Call& call) {
    if (flags != 0) return cudaErrorInvalidValue;
    return prefetch(call, pointer, bytes, where, stream);
  });
}

cudaError_t mem_advise(const void* pointer, size_t bytes, int, int device) {
  return api("cudaMemAdvise",
             [&](Call& call) { return advise(call, pointer, bytes, location_of_device(device)); });
}

cudaError_t mem_advise_v2(const void* pointer, size_t bytes, int, MemoryLocation where) {
  return api("cudaMemAdvise", [&](Call& call) { return advise(call, pointer, bytes, where); });
}

cudaError_t event_elapsed_time_v2(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return cudaEventElapsedTime(ms, start, end);
}

// Deprecated since CUDA 10, gone in 13, still seen in course material.
cudaError_t thread_synchronize() {
  return cudaDeviceSynchronize();
}
cudaError_t thread_exit() {
  return cudaDeviceReset();
}

}  // extern "C"
}  // namespace warpsim::cudart
