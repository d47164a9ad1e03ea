#include <cuda.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdint>

// Virtual memory management: what its functions return. The limits are those of an H200, driver
// 580.159.04.

namespace {

constexpr size_t kUnit = size_t{2} << 20;

#define OK(call) REQUIRE((call) == CUDA_SUCCESS)

CUmemAllocationProp properties_of_device() {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  return properties;
}

CUmemAccessDesc access(CUmemAccess_flags flags) {
  CUmemAccessDesc description = {};
  description.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  description.flags = flags;
  return description;
}

/// A context, a range of addresses, and memory of one unit.
struct MemorySession {
  MemorySession() {
    OK(cuInit(0));
    CUcontext context = nullptr;
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    OK(cuMemGetInfo(&free_before, &total));
    OK(cuMemAddressReserve(&range, 8 * kUnit, 0, 0, 0));
    OK(cuMemCreate(&handle, kUnit, &properties, 0));
  }
  ~MemorySession() {
    CHECK(cuMemRelease(handle) == CUDA_SUCCESS);
    CHECK(cuMemAddressFree(range, 8 * kUnit) == CUDA_SUCCESS);
    size_t now = 0;
    CHECK(cuMemGetInfo(&now, &total) == CUDA_SUCCESS);
    CHECK(now == free_before);
    cuCtxSetCurrent(nullptr);
    cuDevicePrimaryCtxRelease(0);
  }
  MemorySession(const MemorySession&) = delete;
  MemorySession& operator=(const MemorySession&) = delete;

  CUmemAllocationProp properties = properties_of_device();
  CUdeviceptr range = 0;
  CUmemGenericAllocationHandle handle = 0;
  size_t free_before = 0, total = 0;
};

}  // namespace

TEST_CASE("the attributes and the granularity announce virtual memory management", "[driver]") {
  const MemorySession session;
  const auto attribute = [](CUdevice_attribute which) {
    int value = -1;
    OK(cuDeviceGetAttribute(&value, which, 0));
    return value;
  };
  CHECK(attribute(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) == 1);
  CHECK(attribute(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED) == 1);
  CHECK(attribute(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED) == 0);
  CHECK(attribute(CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED) == 0);
  for (const auto which :
       {CU_MEM_ALLOC_GRANULARITY_MINIMUM, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED}) {
    size_t bytes = 0;
    OK(cuMemGetAllocationGranularity(&bytes, &session.properties, which));
    CHECK(bytes == kUnit);
  }
}

TEST_CASE("ranges and memory are multiples of the granularity", "[driver]") {
  MemorySession session;
  CUdeviceptr range = 0;
  CUmemGenericAllocationHandle handle = 0;
  CHECK(cuMemAddressReserve(&range, kUnit + 4096, 0, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAddressReserve(&range, 0, 0, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAddressReserve(&range, kUnit, 3 * kUnit, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemCreate(&handle, kUnit - 1, &session.properties, 0) == CUDA_ERROR_INVALID_VALUE);
  session.properties.location.id = 1;
  CHECK(cuMemCreate(&handle, kUnit, &session.properties, 0) == CUDA_ERROR_INVALID_DEVICE);
  session.properties.location.id = 0;
  const size_t too_much = (session.total / kUnit + 1) * kUnit;
  CHECK(cuMemCreate(&handle, too_much, &session.properties, 0) == CUDA_ERROR_OUT_OF_MEMORY);
  session.properties.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
  CHECK(cuMemCreate(&handle, kUnit, &session.properties, 0) == CUDA_ERROR_NOT_SUPPORTED);
  OK(cuMemAddressReserve(&range, kUnit, 16 * kUnit, 0, 0));
  CHECK(range % (16 * kUnit) == 0);
  CHECK(cuMemAddressFree(range, 2 * kUnit) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemAddressFree(range, kUnit));
  CHECK(cuMemAddressFree(range, kUnit) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a range begins at the wanted address if that is free", "[driver]") {
  const MemorySession session;
  CUdeviceptr next = 0;
  CUdeviceptr other = 0;
  OK(cuMemAddressReserve(&next, kUnit, 0, session.range + 8 * kUnit, 0));
  CHECK(next == session.range + 8 * kUnit);
  OK(cuMemAddressReserve(&other, kUnit, 0, next, 0));
  CHECK(other != next);
  OK(cuMemAddressFree(next, kUnit));
  OK(cuMemAddressFree(other, kUnit));
}

TEST_CASE("all of a handle's memory is mapped once at an address", "[driver]") {
  const MemorySession session;
  const CUdeviceptr at = session.range;
  CHECK(cuMemMap(at + 4096, kUnit, 0, session.handle, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemMap(at, 2 * kUnit, 0, session.handle, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemMap(at, kUnit, kUnit, session.handle, 0) == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(cuMemMap(at + 8 * kUnit, kUnit, 0, session.handle, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemMap(at, kUnit, 0, session.handle + 1000, 0) == CUDA_ERROR_INVALID_VALUE);
  CUmemGenericAllocationHandle large = 0;
  OK(cuMemCreate(&large, 2 * kUnit, &session.properties, 0));
  CHECK(cuMemMap(at, kUnit, 0, large, 0) == CUDA_ERROR_NOT_SUPPORTED);
  OK(cuMemRelease(large));
  CHECK(cuMemRelease(large) == CUDA_ERROR_INVALID_VALUE);

  OK(cuMemMap(at, kUnit, 0, session.handle, 0));
  CHECK(cuMemMap(at, kUnit, 0, session.handle, 0) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemMap(at + kUnit, kUnit, 0, session.handle, 0));  // the same memory again
  CHECK(cuMemAddressFree(at, 8 * kUnit) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemUnmap(at + kUnit, 2 * kUnit) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemUnmap(at + 2 * kUnit, kUnit) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemUnmap(at, 2 * kUnit));
}

TEST_CASE("access is given for whole mappings, and read by cuMemGetAccess", "[driver]") {
  const MemorySession session;
  CUmemGenericAllocationHandle large = 0;
  OK(cuMemCreate(&large, 2 * kUnit, &session.properties, 0));
  OK(cuMemMap(session.range, 2 * kUnit, 0, large, 0));
  OK(cuMemMap(session.range + 2 * kUnit, kUnit, 0, session.handle, 0));
  OK(cuMemRelease(large));
  const auto all = access(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  const auto none = access(CU_MEM_ACCESS_FLAGS_PROT_NONE);
  unsigned long long flags = 7;
  OK(cuMemGetAccess(&flags, &all.location, session.range));
  CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE);
  CHECK(cuMemSetAccess(session.range, kUnit, &all, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemSetAccess(session.range + kUnit, kUnit, &all, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemSetAccess(session.range, 4 * kUnit, &all, 1) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemSetAccess(session.range, 3 * kUnit, &all, 1));
  OK(cuMemGetAccess(&flags, &all.location, session.range + 3 * kUnit - 1));
  CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CHECK(cuMemGetAccess(&flags, &all.location, session.range + 3 * kUnit) ==
        CUDA_ERROR_INVALID_VALUE);

  // Copies and fills cross from one mapping to the next.
  OK(cuMemsetD8(session.range, 5, 3 * kUnit));
  int value = 0;
  OK(cuMemcpyDtoH(&value, session.range + 2 * kUnit - 2, sizeof value));
  CHECK(value == 0x05050505);
  CHECK(cuMemsetD8(session.range, 5, 3 * kUnit + 1) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemSetAccess(session.range + 2 * kUnit, kUnit, &none, 1));
  CHECK(cuMemcpyDtoH(&value, session.range + 2 * kUnit, sizeof value) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemcpyDtoH(&value, session.range, sizeof value));

  CUdeviceptr base = 0;
  size_t bytes = 0;
  OK(cuPointerGetAttribute(&base, CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, session.range + 5));
  CHECK(base == session.range);
  OK(cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_MAPPING_SIZE, session.range + 5));
  CHECK(bytes == 2 * kUnit);
  OK(cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, session.range + 5));
  CHECK(bytes == 8 * kUnit);
  OK(cuMemUnmap(session.range, 3 * kUnit));
}

TEST_CASE("memory lives until its handles are released and it is unmapped", "[driver]") {
  const MemorySession session;
  CUmemGenericAllocationHandle handle = 0;
  CUmemGenericAllocationHandle again = 0;
  size_t before = 0;
  size_t now = 0;
  size_t total = 0;
  OK(cuMemGetInfo(&before, &total));
  OK(cuMemCreate(&handle, kUnit, &session.properties, 0));
  OK(cuMemGetInfo(&now, &total));
  CHECK(now == before - kUnit);
  OK(cuMemMap(session.range, kUnit, 0, handle, 0));
  OK(cuMemRelease(handle));
  CHECK(cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(session.range + kUnit)) ==
        CUDA_ERROR_INVALID_VALUE);
  OK(cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(session.range + 77)));
  CHECK(again == handle);
  CUmemAllocationProp properties = {};
  OK(cuMemGetAllocationPropertiesFromHandle(&properties, again));
  CHECK(properties.type == CU_MEM_ALLOCATION_TYPE_PINNED);
  CHECK(properties.location.id == 0);
  OK(cuMemUnmap(session.range, kUnit));
  OK(cuMemGetInfo(&now, &total));
  CHECK(now == before - kUnit);
  OK(cuMemRelease(again));
  OK(cuMemGetInfo(&now, &total));
  CHECK(now == before);
}

TEST_CASE("memory is exported as a file descriptor and imported again", "[driver]") {
  MemorySession session;
  int descriptor = -1;
  CHECK(cuMemExportToShareableHandle(&descriptor, session.handle,
                                     CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                     0) == CUDA_ERROR_INVALID_VALUE);  // not requested
  session.properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  CUmemGenericAllocationHandle handle = 0;
  OK(cuMemCreate(&handle, kUnit, &session.properties, 0));
  OK(cuMemMap(session.range, kUnit, 0, handle, 0));
  OK(cuMemExportToShareableHandle(&descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                  0));
  CUmemGenericAllocationHandle imported = 0;
  const auto as_pointer = [](int file) {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(file));
  };
  OK(cuMemImportFromShareableHandle(&imported, as_pointer(descriptor),
                                    CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  OK(cuMemMap(session.range + kUnit, kUnit, 0, imported, 0));
  OK(cuMemRelease(handle));
  OK(cuMemRelease(imported));
  const auto all = access(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  OK(cuMemSetAccess(session.range, 2 * kUnit, &all, 1));
  OK(cuMemsetD32(session.range + 12, 42, 1));
  int value = 0;
  OK(cuMemcpyDtoH(&value, session.range + kUnit + 12, sizeof value));
  CHECK(value == 42);
  OK(cuMemUnmap(session.range, 2 * kUnit));
  // The descriptor alone holds the memory.
  OK(cuMemImportFromShareableHandle(&imported, as_pointer(descriptor),
                                    CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  ::close(descriptor);
  OK(cuMemRelease(imported));
  CHECK(cuMemImportFromShareableHandle(&imported, as_pointer(descriptor),
                                       CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) ==
        CUDA_ERROR_NOT_SUPPORTED);
  CHECK(cuMemImportFromShareableHandle(&imported, as_pointer(0),
                                       CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) ==
        CUDA_ERROR_NOT_SUPPORTED);
}
