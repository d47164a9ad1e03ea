#include <optional>

#include "emulator/driver/driver.h"
#include "emulator/driver/virtual_memory.h"

using namespace warpsim::driver;

namespace {

/// Notes what a successful allocation made.
CUresult noted(CUresult result, const CUdeviceptr* pointer, size_t bytes) {
  if (result == CUDA_SUCCESS) note_allocation(*pointer, bytes);
  return result;
}

using warpsim::cudart::VirtualMemoryCalls;

/// What is mapped at an address by cuMemMap, if anything.
std::optional<VirtualMemoryCalls::Place> mapped_at(CUdeviceptr pointer) {
  const VirtualMemoryCalls* const calls = virtual_memory();
  VirtualMemoryCalls::Place place;
  if (calls == nullptr || !calls->place(pointer, place)) return std::nullopt;
  return place;
}

/// The range that contains an address: an allocation, or one of cuMemAddressReserve with memory.
bool find_addresses(CUdeviceptr pointer, CUdeviceptr& base, size_t& bytes) {
  if (const auto place = mapped_at(pointer)) {
    base = place->range;
    bytes = place->range_bytes;
    return true;
  }
  return find_allocation(pointer, base, bytes);
}

void** as_pointer(CUdeviceptr* pointer) {
  return reinterpret_cast<void**>(pointer);
}

}  // namespace

extern "C" {

CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total_bytes) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaMemGetInfo(free_bytes, total_bytes);
  });
}

CUresult cuMemAlloc_v2(CUdeviceptr* pointer, size_t bytes) {
  const CUresult result = in_context([&](const RuntimeLibrary& runtime) {
    // Unlike the runtime, the driver has no allocation of 0 bytes.
    if (bytes == 0) return cudaErrorInvalidValue;
    return runtime.cudaMalloc(as_pointer(pointer), bytes);
  });
  return noted(result, pointer, bytes);
}

CUresult cuMemAllocPitch_v2(CUdeviceptr* pointer, size_t* pitch, size_t width_bytes, size_t height,
                            unsigned element_bytes) {
  const CUresult result = in_context([&](const RuntimeLibrary& runtime) {
    const bool allowed = element_bytes == 4 || element_bytes == 8 || element_bytes == 16;
    if (!allowed || width_bytes == 0 || height == 0) return cudaErrorInvalidValue;
    return runtime.cudaMallocPitch(as_pointer(pointer), pitch, width_bytes, height);
  });
  return noted(result, pointer, result == CUDA_SUCCESS ? *pitch * height : 0);
}

CUresult cuMemFree_v2(CUdeviceptr pointer) {
  return in_context_of(host_pointer(pointer), [&](const RuntimeLibrary& runtime) {
    const cudaError_t error = runtime.cudaFree(device_pointer(pointer));
    if (error == cudaSuccess) forget_allocation(pointer);
    return error;
  });
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* bytes, CUdeviceptr pointer) {
  return in_context([&](const RuntimeLibrary&) {
    CUdeviceptr start = 0;
    size_t size = 0;
    if (!find_addresses(pointer, start, size)) return CUDA_ERROR_NOT_FOUND;
    if (base != nullptr) *base = start;
    if (bytes != nullptr) *bytes = size;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  const CUresult result = in_context(
      [&](const RuntimeLibrary& runtime) { return runtime.cudaHostAlloc(pointer, bytes, flags); });
  if (result == CUDA_SUCCESS) {
    note_allocation(reinterpret_cast<CUdeviceptr>(*pointer), bytes, AllocationKind::host);
  }
  return result;
}

CUresult cuMemAllocHost_v2(void** pointer, size_t bytes) {
  return cuMemHostAlloc(pointer, bytes, 0);
}

CUresult cuMemFreeHost(void* pointer) {
  return in_context_of(pointer, [&](const RuntimeLibrary& runtime) {
    const cudaError_t error = runtime.cudaFreeHost(pointer);
    if (error == cudaSuccess) forget_allocation(reinterpret_cast<CUdeviceptr>(pointer));
    return error;
  });
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* device_pointer, void* pointer, unsigned flags) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaHostGetDevicePointer(as_pointer(device_pointer), pointer, flags);
  });
}

CUresult cuMemHostGetFlags(unsigned* flags, void* pointer) {
  return in_context(
      [&](const RuntimeLibrary& runtime) { return runtime.cudaHostGetFlags(flags, pointer); });
}

CUresult cuMemHostRegister_v2(void* pointer, size_t bytes, unsigned flags) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaHostRegister(pointer, bytes, flags);
  });
}

CUresult cuMemHostUnregister(void* pointer) {
  return in_context_of(
      pointer, [&](const RuntimeLibrary& runtime) { return runtime.cudaHostUnregister(pointer); });
}

CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned flags) {
  const CUresult result = in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaMallocManaged(as_pointer(pointer), bytes, flags);
  });
  return noted(result, pointer, bytes);
}

CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t bytes, CUstream stream) {
  const CUresult result = in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaMallocAsync(as_pointer(pointer), bytes, stream);
  });
  return noted(result, pointer, bytes);
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
  return in_context([&](const RuntimeLibrary& runtime) {
    const cudaError_t error = runtime.cudaFreeAsync(device_pointer(pointer), stream);
    if (error == cudaSuccess) forget_allocation(pointer);
    return error;
  });
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr pointer, size_t bytes, CUmemLocation location,
                               unsigned flags, CUstream stream) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaMemPrefetchAsync(
        host_pointer(pointer), bytes,
        {.type = static_cast<cudaMemLocationType>(location.type), .id = location.id}, flags,
        stream);
  });
}

CUresult cuMemAdvise_v2(CUdeviceptr pointer, size_t bytes, CUmem_advise advice,
                        CUmemLocation location) {
  return in_context([&](const RuntimeLibrary& runtime) {
    return runtime.cudaMemAdvise(
        host_pointer(pointer), bytes, static_cast<cudaMemoryAdvise>(advice),
        {.type = static_cast<cudaMemLocationType>(location.type), .id = location.id});
  });
}

CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  return in_context_of(host_pointer(pointer), [&](const RuntimeLibrary& runtime) -> CUresult {
    cudaPointerAttributes all = {};
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const cudaError_t error = runtime.cudaPointerGetAttributes(&all, host_pointer(pointer));
    if (error != cudaSuccess) return result_of(error);
    if (all.type == cudaMemoryTypeUnregistered) return CUDA_ERROR_INVALID_VALUE;
    const bool on_host = all.type == cudaMemoryTypeHost;
    switch (attribute) {
      case CU_POINTER_ATTRIBUTE_CONTEXT:
        *static_cast<CUcontext*>(value) = mapped_at(pointer) ? nullptr : owner_of(pointer);
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *static_cast<unsigned*>(value) = on_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *static_cast<void**>(value) = all.devicePointer;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (all.hostPointer == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *static_cast<void**>(value) = all.hostPointer;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *static_cast<unsigned*>(value) = all.type == cudaMemoryTypeManaged ? 1 : 0;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *static_cast<int*>(value) = all.device;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      case CU_POINTER_ATTRIBUTE_RANGE_SIZE: {
        CUdeviceptr base = 0;
        size_t bytes = 0;
        if (!find_addresses(pointer, base, bytes)) return CUDA_ERROR_INVALID_VALUE;
        if (attribute == CU_POINTER_ATTRIBUTE_RANGE_SIZE) {
          *static_cast<size_t*>(value) = bytes;
        } else {
          *static_cast<CUdeviceptr*>(value) = base;
        }
        return CUDA_SUCCESS;
      }
      case CU_POINTER_ATTRIBUTE_MAPPED:
        *static_cast<unsigned*>(value) = 1;
        return CUDA_SUCCESS;
      case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
      case CU_POINTER_ATTRIBUTE_MAPPING_SIZE: {
        const auto place = mapped_at(pointer);
        CUdeviceptr base = place ? place->mapping : 0;
        size_t bytes = place ? place->mapping_bytes : 0;
        if (!place && !find_allocation(pointer, base, bytes)) return CUDA_ERROR_INVALID_VALUE;
        if (attribute == CU_POINTER_ATTRIBUTE_MAPPING_SIZE) {
          *static_cast<size_t*>(value) = bytes;
        } else {
          *static_cast<CUdeviceptr*>(value) = base;
        }
        return CUDA_SUCCESS;
      }
      case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: {
        const auto place = mapped_at(pointer);
        *static_cast<unsigned long long*>(value) = place ? place->handle_types : 0;
        return CUDA_SUCCESS;
      }
      default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
  });
}

}  // extern "C"
