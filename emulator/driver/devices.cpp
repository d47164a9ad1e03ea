#include <algorithm>
#include <cstring>
#include <memory>

#include "emulator/driver/driver.h"
#include "emulator/driver/virtual_memory.h"

namespace {

/// What both versions of the runtime have at the same place: CUDA 13's structure is shorter than
/// CUDA 12's.
struct Properties {
  cudaDeviceProp shared;
  char rest[2048];
};

/// The last one in the driver API of CUDA 13.0.
constexpr int kLastAttribute = 147;

}  // namespace

using namespace warpsim::driver;

namespace {

template <class Use>
CUresult with_properties(CUdevice device, Use use) {
  return initialized([&](const RuntimeLibrary& runtime) {
    const auto properties = std::make_unique<Properties>();
    const cudaError_t error = runtime.cudaGetDeviceProperties(&properties->shared, device);
    if (error == cudaSuccess) use(properties->shared);
    return error;
  });
}

}  // namespace

extern "C" {

CUresult cuDriverGetVersion(int* version) {
  const RuntimeLibrary* const runtime = RuntimeLibrary::get();
  if (version == nullptr || runtime == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return result_of(runtime->cudaDriverGetVersion(version));
}

CUresult cuDeviceGetCount(int* count) {
  return initialized(
      [&](const RuntimeLibrary& runtime) { return runtime.cudaGetDeviceCount(count); });
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return initialized([&](const RuntimeLibrary& runtime) {
    int count = 0;
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (runtime.cudaGetDeviceCount(&count) != cudaSuccess || ordinal < 0 || ordinal >= count) {
      return CUDA_ERROR_INVALID_DEVICE;
    }
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  if (name == nullptr || length <= 0) return CUDA_ERROR_INVALID_VALUE;
  return with_properties(device, [&](const cudaDeviceProp& properties) {
    std::strncpy(name, properties.name, static_cast<size_t>(length) - 1);
    name[length - 1] = '\0';
  });
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  if (uuid == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_properties(device,
                         [&](const cudaDeviceProp& properties) { *uuid = properties.uuid; });
}

CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice device) {
  if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_properties(
      device, [&](const cudaDeviceProp& properties) { *bytes = properties.totalGlobalMem; });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return initialized([&](const RuntimeLibrary& runtime) {
    const cudaError_t error =
        runtime.cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device);
    int known = 0;
    const bool good_device =
        runtime.cudaDeviceGetAttribute(&known, cudaDevAttrWarpSize, device) == cudaSuccess;
    if (error != cudaErrorInvalidValue || value == nullptr || !good_device) return error;
    if (attribute < 1 || attribute > kLastAttribute) return error;
    // Of a feature that the runtime has no name for.
    const bool of_virtual_memory =
        attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED ||
        attribute == CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED;
    *value = of_virtual_memory && virtual_memory() != nullptr ? 1 : 0;
    return cudaSuccess;
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const CUresult first =
      cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  return first != CUDA_SUCCESS
             ? first
             : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDeviceGetPCIBusId(char* id, int length, CUdevice device) {
  return initialized([&](const RuntimeLibrary& runtime) {
    return runtime.cudaDeviceGetPCIBusId(id, length, device);
  });
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* id) {
  return initialized(
      [&](const RuntimeLibrary& runtime) { return runtime.cudaDeviceGetByPCIBusId(device, id); });
}

}  // extern "C"
