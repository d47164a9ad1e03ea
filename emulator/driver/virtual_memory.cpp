#include "emulator/driver/virtual_memory.h"
#include "emulator/driver/driver.h"
#include "emulator/driver/library_entry.h"

#include <cstdint>

// Virtual memory management. The runtime does the work: memory, ranges and mappings are of no
// context.

using namespace warpsim::driver;
using warpsim::cudart::VirtualMemoryCalls;

namespace {

/// Checks that the emulator can do it. `body` gets the runtime's functions.
template <class Body>
CUresult with_virtual_memory(Body body) {
  return initialized([&](const RuntimeLibrary&) -> CUresult {
    const VirtualMemoryCalls* const calls = virtual_memory();
    if (calls == nullptr) return CUDA_ERROR_NOT_SUPPORTED;
    return initialized([&](const RuntimeLibrary&) { return body(*calls); });
  });
}

/// Reports what CUDA may do and the emulator does not.
CUresult not_supported(const char* name, const void* from, const char* got, const char* want) {
  if (const warpsim::cudart::LibraryEntryPoints* const entry = library_entry()) {
    entry->refuse(
        name, from,
        {.got = got, .want = want, .status = "CUDA_ERROR_NOT_SUPPORTED", .by_emulator = true});
  }
  return CUDA_ERROR_NOT_SUPPORTED;
}

/// Whether the emulator has memory with such properties.
CUresult check(const CUmemAllocationProp* properties, const char* name, const void* from) {
  if (properties == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (properties->type == CU_MEM_ALLOCATION_TYPE_INVALID) return CUDA_ERROR_INVALID_VALUE;
  if (properties->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
      properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
    return not_supported(name, from, "the memory is not a device's",
                         "CU_MEM_ALLOCATION_TYPE_PINNED and CU_MEM_LOCATION_TYPE_DEVICE");
  }
  const auto types = static_cast<unsigned>(properties->requestedHandleTypes);
  if ((types & ~unsigned{CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR}) != 0) {
    return not_supported(name, from, "the requested type of handle is not a file descriptor",
                         "CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, or none");
  }
  return CUDA_SUCCESS;
}

}  // namespace

namespace warpsim::driver {

const VirtualMemoryCalls* virtual_memory() {
  const cudart::LibraryEntryPoints* const entry = library_entry();
  return entry == nullptr ? nullptr : entry->virtual_memory;
}

}  // namespace warpsim::driver

extern "C" {

CUresult cuMemAddressReserve(CUdeviceptr* pointer, size_t bytes, size_t alignment, CUdeviceptr hint,
                             unsigned long long flags) {
  const void* const from = __builtin_return_address(0);
  return with_virtual_memory([&](const VirtualMemoryCalls& calls) {
    if (pointer == nullptr || flags != 0) return cudaErrorInvalidValue;
    std::uint64_t address = 0;
    const cudaError_t error = calls.reserve(from, address, bytes, alignment, hint);
    if (error == cudaSuccess) *pointer = address;
    return error;
  });
}

CUresult cuMemAddressFree(CUdeviceptr pointer, size_t bytes) {
  const void* const from = __builtin_return_address(0);
  return with_virtual_memory(
      [&](const VirtualMemoryCalls& calls) { return calls.free(from, pointer, bytes); });
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes,
                     const CUmemAllocationProp* properties, unsigned long long flags) {
  const void* const from = __builtin_return_address(0);
  return with_virtual_memory([&](const VirtualMemoryCalls& calls) -> CUresult {
    if (handle == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult refusal = check(properties, "cuMemCreate", from)) return refusal;
    std::uint64_t made = 0;
    const cudaError_t error = calls.create(from, made, bytes, properties->location.id,
                                           static_cast<unsigned>(properties->requestedHandleTypes));
    if (error == cudaSuccess) *handle = made;
    return result_of(error);
  });
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  const void* const from = __builtin_return_address(0);
  return with_virtual_memory(
      [&](const VirtualMemoryCalls& calls) { return calls.release(from, handle); });
}

CUresult cuMemMap(CUdeviceptr pointer, size_t bytes, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
  const void* const from = __builtin_return_address(0);
  return with_virtual_memory([&](const VirtualMemoryCalls& calls) {
    if (flags != 0) return cudaErrorInvalidValue;
    return calls.map(from, pointer, bytes, offset, handle);
  });
}

CUresult cuMemUnmap(CUdeviceptr pointer, size_t bytes) {
  const void* const from = __builtin_return_address(0);
  return with_virtual_memory(
      [&](const VirtualMemoryCalls& calls) { return calls.unmap(from, pointer, bytes); });
}

CUresult cuMemSetAccess(CUdeviceptr pointer, size_t bytes, const CUmemAccessDesc* access,
                        size_t count) {
  const void* const from = __builtin_return_address(0);
  return with_virtual_memory([&](const VirtualMemoryCalls& calls) -> CUresult {
    if (access == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; ++i) {
      const CUmemAccessDesc& one = access[i];
      if (one.location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
        return not_supported("cuMemSetAccess", from, "the location is not a device",
                             "access of a device");
      }
      const bool writes = one.flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
      const bool reads = writes || one.flags == CU_MEM_ACCESS_FLAGS_PROT_READ;
      if (!reads && one.flags != CU_MEM_ACCESS_FLAGS_PROT_NONE) return CUDA_ERROR_INVALID_VALUE;
      const cudaError_t error =
          calls.set_access(from, pointer, bytes, one.location.id, reads, writes);
      if (error != cudaSuccess) return result_of(error);
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location,
                        CUdeviceptr pointer) {
  return with_virtual_memory([&](const VirtualMemoryCalls& calls) -> CUresult {
    VirtualMemoryCalls::Place place;
    if (flags == nullptr || location == nullptr || location->type != CU_MEM_LOCATION_TYPE_DEVICE ||
        !calls.place(pointer, place)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (location->id < 0 || location->id >= 32) return CUDA_ERROR_INVALID_DEVICE;
    const auto has = [&](std::uint32_t devices) { return (devices >> location->id & 1) != 0; };
    *flags = !has(place.access)     ? CU_MEM_ACCESS_FLAGS_PROT_NONE
             : has(place.read_only) ? CU_MEM_ACCESS_FLAGS_PROT_READ
                                    : CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags which) {
  const void* const from = __builtin_return_address(0);
  return with_virtual_memory([&](const VirtualMemoryCalls& calls) -> CUresult {
    const bool known =
        which == CU_MEM_ALLOC_GRANULARITY_MINIMUM || which == CU_MEM_ALLOC_GRANULARITY_RECOMMENDED;
    if (bytes == nullptr || !known) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult refusal = check(properties, "cuMemGetAllocationGranularity", from)) {
      return refusal;
    }
    *bytes = calls.granularity;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle) {
  return with_virtual_memory([&](const VirtualMemoryCalls& calls) -> CUresult {
    VirtualMemoryCalls::Memory memory;
    if (properties == nullptr || !calls.memory(handle, memory)) return CUDA_ERROR_INVALID_VALUE;
    *properties = {};
    properties->type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties->requestedHandleTypes = static_cast<CUmemAllocationHandleType>(memory.handle_types);
    properties->location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties->location.id = memory.device;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* pointer) {
  const void* const from = __builtin_return_address(0);
  return with_virtual_memory([&](const VirtualMemoryCalls& calls) {
    if (handle == nullptr) return cudaErrorInvalidValue;
    std::uint64_t found = 0;
    const cudaError_t error = calls.retain(from, found, reinterpret_cast<std::uint64_t>(pointer));
    if (error == cudaSuccess) *handle = found;
    return error;
  });
}

CUresult cuMemExportToShareableHandle(void* shareable, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags) {
  const void* const from = __builtin_return_address(0);
  return with_virtual_memory([&](const VirtualMemoryCalls& calls) -> CUresult {
    if (shareable == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
      return not_supported("cuMemExportToShareableHandle", from,
                           "the type of handle is not a file descriptor",
                           "CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR");
    }
    return result_of(calls.to_descriptor(from, *static_cast<int*>(shareable), handle));
  });
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* shareable,
                                        CUmemAllocationHandleType type) {
  const void* const from = __builtin_return_address(0);
  return with_virtual_memory([&](const VirtualMemoryCalls& calls) -> CUresult {
    if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
      return not_supported("cuMemImportFromShareableHandle", from,
                           "the type of handle is not a file descriptor",
                           "CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR");
    }
    std::uint64_t imported = 0;
    const auto descriptor = static_cast<int>(reinterpret_cast<std::intptr_t>(shareable));
    const cudaError_t error = calls.from_descriptor(from, imported, descriptor);
    if (error == cudaSuccess) *handle = imported;
    return result_of(error);
  });
}

}  // extern "C"
