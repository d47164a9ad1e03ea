#include <cuda.h>

#include <catch2/catch_test_macros.hpp>

// The driver API with two devices (WARPSIM_DEVICES=2).

#define OK(call) REQUIRE((call) == CUDA_SUCCESS)

namespace {

/// The primary contexts of both devices; that of device 0 is current.
struct Contexts {
  Contexts() {
    OK(cuInit(0));
    for (int device = 0; device < 2; ++device) OK(cuDevicePrimaryCtxRetain(&of[device], device));
    OK(cuCtxSetCurrent(of[0]));
  }
  CUcontext of[2] = {};
};

CUdeviceptr ints_in(CUcontext context, unsigned value) {
  OK(cuCtxSetCurrent(context));
  CUdeviceptr memory = 0;
  OK(cuMemAlloc(&memory, 64));
  OK(cuMemsetD32(memory, value, 16));
  return memory;
}

unsigned last_of(CUdeviceptr memory) {
  unsigned values[16] = {};
  OK(cuMemcpyDtoH(values, memory, sizeof values));
  return values[15];
}

}  // namespace

TEST_CASE("the driver has as many devices as the runtime", "[driver][devices]") {
  OK(cuInit(0));
  int count = 0;
  OK(cuDeviceGetCount(&count));
  CHECK(count == 2);
  CUdevice device = -1;
  OK(cuDeviceGet(&device, 1));
  CHECK(device == 1);
  CHECK(cuDeviceGet(&device, 2) == CUDA_ERROR_INVALID_DEVICE);
  CUcontext context = nullptr;
  CHECK(cuDevicePrimaryCtxRetain(&context, 2) == CUDA_ERROR_INVALID_DEVICE);
}

TEST_CASE("the current context says which device is current", "[driver][devices]") {
  const Contexts contexts;
  CHECK(contexts.of[0] != contexts.of[1]);
  CUdevice device = -1;
  OK(cuCtxGetDevice(&device));
  CHECK(device == 0);
  OK(cuCtxPushCurrent(contexts.of[1]));
  OK(cuCtxGetDevice(&device));
  CHECK(device == 1);
  CUcontext popped = nullptr;
  OK(cuCtxPopCurrent(&popped));
  CHECK(popped == contexts.of[1]);
  OK(cuCtxGetDevice(&device));
  CHECK(device == 0);
}

TEST_CASE("memory belongs to the context in which it was allocated", "[driver][devices]") {
  const Contexts contexts;
  const CUdeviceptr memory = ints_in(contexts.of[1], 3);
  OK(cuCtxSetCurrent(contexts.of[0]));
  int device = -1;
  OK(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, memory));
  CHECK(device == 1);
  CUcontext owner = nullptr;
  OK(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
  CHECK(owner == contexts.of[1]);
  OK(cuMemFree(memory));
}

TEST_CASE("the driver copies between contexts and enables peer access", "[driver][devices]") {
  const Contexts contexts;
  int can = 0;
  OK(cuDeviceCanAccessPeer(&can, 0, 1));
  CHECK(can == 1);
  int value = 0;
  OK(cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
  CHECK(value == 1);
  const CUdeviceptr there = ints_in(contexts.of[1], 7);
  const CUdeviceptr here = ints_in(contexts.of[0], 1);
  OK(cuMemcpyPeer(here, contexts.of[0], there, contexts.of[1], 64));
  CHECK(last_of(here) == 7);
  CHECK(cuMemsetD8(there, 1, 64) == CUDA_ERROR_INVALID_VALUE);
  OK(cuCtxEnablePeerAccess(contexts.of[1], 0));
  CHECK(cuCtxEnablePeerAccess(contexts.of[1], 0) == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  OK(cuMemsetD8(there, 1, 64));
  OK(cuMemcpyPeerAsync(here, contexts.of[0], there, contexts.of[1], 64, nullptr));
  CHECK(last_of(here) == 0x01010101);
  OK(cuCtxDisablePeerAccess(contexts.of[1]));
  CHECK(cuCtxDisablePeerAccess(contexts.of[1]) == CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
  CHECK(cuCtxEnablePeerAccess(nullptr, 0) == CUDA_ERROR_INVALID_CONTEXT);
  OK(cuMemFree(there));
  OK(cuMemFree(here));
}

TEST_CASE("mapped memory is used by the devices that have access", "[driver][devices]") {
  constexpr size_t kUnit = size_t{2} << 20;
  const Contexts contexts;
  CUdeviceptr range = 0;
  OK(cuMemAddressReserve(&range, 2 * kUnit, 0, 0, 0));
  // One half in the memory of each device.
  for (int device = 0; device < 2; ++device) {
    CUmemAllocationProp properties = {};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device};
    CUmemGenericAllocationHandle handle = 0;
    OK(cuMemCreate(&handle, kUnit, &properties, 0));
    OK(cuMemMap(range + static_cast<size_t>(device) * kUnit, kUnit, 0, handle, 0));
    OK(cuMemRelease(handle));
  }
  CUmemAccessDesc access[2] = {};
  for (int device = 0; device < 2; ++device) {
    access[device].location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device};
    access[device].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  }
  // The device that has the memory needs access, too.
  OK(cuMemSetAccess(range, 2 * kUnit, &access[1], 1));
  CHECK(cuMemsetD8(range, 1, kUnit) != CUDA_SUCCESS);
  OK(cuCtxSetCurrent(contexts.of[1]));
  OK(cuMemsetD8(range, 1, 2 * kUnit));
  OK(cuMemSetAccess(range, 2 * kUnit, access, 2));
  OK(cuCtxSetCurrent(contexts.of[0]));
  OK(cuMemsetD8(range, 2, 2 * kUnit));
  unsigned long long flags = 0;
  OK(cuMemGetAccess(&flags, &access[1].location, range + kUnit));
  CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  unsigned char last = 0;
  OK(cuMemcpyDtoH(&last, range + 2 * kUnit - 1, 1));
  CHECK(last == 2);
  OK(cuMemUnmap(range, 2 * kUnit));
  OK(cuMemAddressFree(range, 2 * kUnit));
}
