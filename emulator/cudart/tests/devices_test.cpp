#include <cuda_runtime_api.h>

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <thread>
#include <vector>

#include "emulator/cudart/tests/kernels.h"

// Two devices (WARPSIM_DEVICES=2). The behaviour was measured on two H100 with CUDA 13.0.

namespace {

int* ints_on(int device, int count) {
  REQUIRE(cudaSetDevice(device) == cudaSuccess);
  int* memory = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&memory), static_cast<size_t>(count) * 4) ==
          cudaSuccess);
  REQUIRE(cudaMemset(memory, 0, static_cast<size_t>(count) * 4) == cudaSuccess);
  return memory;
}

std::vector<int> read(const int* memory, int count) {
  std::vector<int> values(static_cast<size_t>(count));
  REQUIRE(cudaMemcpy(values.data(), memory, values.size() * 4, cudaMemcpyDefault) == cudaSuccess);
  return values;
}

int current() {
  int device = -1;
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  return device;
}

}  // namespace

TEST_CASE("each host thread has a current device, 0 at first", "[cudart][devices]") {
  int count = 0;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 2);
  CHECK(current() == 0);
  CHECK(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaSetDevice(2) == cudaErrorInvalidDevice);
  CHECK(current() == 1);
  int in_thread = -1;
  std::thread([&] { in_thread = current(); }).join();
  CHECK(in_thread == 0);
}

TEST_CASE("devices of one kind differ by bus and UUID", "[cudart][devices]") {
  cudaDeviceProp first = {};
  cudaDeviceProp second = {};
  REQUIRE(cudaGetDeviceProperties(&first, 0) == cudaSuccess);
  REQUIRE(cudaGetDeviceProperties(&second, 1) == cudaSuccess);
  CHECK(std::string(first.name) == second.name);
  CHECK(first.pciBusID != second.pciBusID);
  CHECK(std::string(first.uuid.bytes, 16) != std::string(second.uuid.bytes, 16));
  char id[32] = {};
  REQUIRE(cudaDeviceGetPCIBusId(id, sizeof id, 1) == cudaSuccess);
  int device = -1;
  CHECK(cudaDeviceGetByPCIBusId(&device, id) == cudaSuccess);
  CHECK(device == 1);
}

TEST_CASE("memory belongs to the device that was current", "[cudart][devices]") {
  size_t before = 0;
  size_t after = 0;
  size_t total = 0;
  CHECK(cudaMemGetInfo(&before, &total) == cudaSuccess);
  int* memory = ints_on(1, 1 << 20);
  CHECK(cudaMemGetInfo(&after, &total) == cudaSuccess);
  CHECK(after == total - (4u << 20));
  cudaPointerAttributes attributes = {};
  CHECK(cudaPointerGetAttributes(&attributes, memory) == cudaSuccess);
  CHECK(attributes.device == 1);
  void* pinned = nullptr;
  void* managed = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 64) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 64) == cudaSuccess);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaPointerGetAttributes(&attributes, pinned) == cudaSuccess);
  CHECK(attributes.device == 1);
  CHECK(cudaPointerGetAttributes(&attributes, managed) == cudaSuccess);
  CHECK(attributes.device == 1);
  CHECK(cudaMemGetInfo(&after, &total) == cudaSuccess);
  CHECK(after == before);
  // Any device may be current when it is freed.
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(cudaFree(managed) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
}

TEST_CASE("copies between devices take their direction from the pointers", "[cudart][devices]") {
  int* a = ints_on(0, 32);
  int* b = ints_on(1, 32);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  launch_fill(1, 32, a, 7);
  CHECK(cudaMemcpyPeer(b, 1, a, 0, 128) == cudaSuccess);
  CHECK(read(b, 32) == std::vector<int>(32, 7));
  launch_fill(1, 32, a, 8);
  CHECK(cudaMemcpy(b, a, 128, cudaMemcpyDefault) == cudaSuccess);
  CHECK(read(b, 32) == std::vector<int>(32, 8));
  launch_fill(1, 32, a, 9);
  CHECK(cudaMemcpyPeerAsync(b, 1, a, 0, 64, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(read(b, 32)[15] == 9);
  CHECK(read(b, 32)[16] == 8);
  cudaMemcpy3DPeerParms box = {};
  box.srcPtr = {a, 32, 32, 4};
  box.dstPtr = {b, 32, 32, 4};
  box.dstDevice = 1;
  box.extent = {32, 4, 1};
  CHECK(cudaMemcpy3DPeer(&box) == cudaSuccess);
  CHECK(cudaMemcpy3DPeerAsync(&box, nullptr) == cudaSuccess);
  CHECK(read(b, 32) == std::vector<int>(32, 9));
  // As on a card, wrong numbers of existing devices do not matter.
  CHECK(cudaMemcpyPeer(b, 0, a, 1, 128) == cudaSuccess);
  CHECK(cudaMemcpyPeer(b, 2, a, 0, 128) == cudaErrorInvalidDevice);
  box.dstDevice = 5;
  CHECK(cudaMemcpy3DPeer(&box) == cudaErrorInvalidDevice);
  CHECK(cudaFree(a) == cudaSuccess);
  CHECK(cudaFree(b) == cudaSuccess);
}

TEST_CASE("peer access is enabled for one direction and once", "[cudart][devices]") {
  int can = -1;
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaSuccess);
  CHECK(can == 1);
  CHECK(cudaDeviceCanAccessPeer(&can, 1, 1) == cudaSuccess);
  CHECK(can == 0);
  int value = -1;
  CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1) == cudaSuccess);
  CHECK(value == 1);
  CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrNativeAtomicSupported, 0, 1) ==
        cudaSuccess);
  CHECK(value == 1);  // NVLink between A100
  CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 1, 1) ==
        cudaErrorInvalidDevice);
  CHECK(cudaDeviceEnablePeerAccess(1, 1) == cudaErrorInvalidValue);
  CHECK(cudaDeviceEnablePeerAccess(9, 0) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported);
  CHECK(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaSuccess);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
  CHECK(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
}

TEST_CASE("with peer access a kernel uses the other device's memory", "[cudart][devices]") {
  int* memory = ints_on(1, 32);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaMemset(memory, 1, 4) == cudaErrorInvalidValue);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaSuccess);
  CHECK(cudaMemset(memory, 1, 4) == cudaSuccess);
  launch_fill(1, 32, memory, 3);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(read(memory, 32) == std::vector<int>(32, 3));
  CHECK(cudaDeviceDisablePeerAccess(1) == cudaSuccess);
  launch_fill(1, 32, memory, 4);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
}

TEST_CASE("a fault on one device is an error of all until each is reset", "[cudart][devices]") {
  int* memory = ints_on(1, 32);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  launch_fill(1, 32, memory, 4);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  void* more = nullptr;
  CHECK(cudaMalloc(&more, 64) == cudaErrorIllegalAddress);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaMalloc(&more, 64) == cudaErrorDevicesUnavailable);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaMalloc(&more, 64) == cudaErrorIllegalAddress);
}

TEST_CASE("a kernel runs on the device of its stream", "[cudart][devices]") {
  int* memory = ints_on(0, 32);
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cudaSetDevice(1) == cudaSuccess);
  int device = -1;
  CHECK(cudaStreamGetDevice(stream, &device) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaStreamGetDevice(nullptr, &device) == cudaSuccess);
  CHECK(device == 1);
  launch_fill(1, 32, memory, 5, stream);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(read(memory, 32) == std::vector<int>(32, 5));
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("an event is recorded on its own device and waited for on any", "[cudart][devices]") {
  cudaStream_t streams[2] = {};
  cudaEvent_t events[3] = {};
  for (int device = 0; device < 2; ++device) {
    REQUIRE(cudaSetDevice(device) == cudaSuccess);
    REQUIRE(cudaStreamCreate(&streams[device]) == cudaSuccess);
    REQUIRE(cudaEventCreate(&events[device]) == cudaSuccess);
  }
  REQUIRE(cudaEventCreate(&events[2]) == cudaSuccess);
  CHECK(cudaEventRecord(events[0], streams[1]) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(events[0], nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(events[0], streams[0]) == cudaSuccess);
  CHECK(cudaEventRecord(events[1], streams[1]) == cudaSuccess);
  CHECK(cudaEventRecord(events[2], nullptr) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(streams[1], events[0], 0) == cudaSuccess);
  CHECK(cudaEventSynchronize(events[0]) == cudaSuccess);
  CHECK(cudaEventQuery(events[0]) == cudaSuccess);
  float ms = -1;
  CHECK(cudaEventElapsedTime(&ms, events[0], events[1]) == cudaErrorInvalidResourceHandle);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&ms, events[1], events[2]) == cudaSuccess);
}

TEST_CASE("a device variable has a copy on each device", "[cudart][devices]") {
  const auto value = [] {
    int result = -1;
    CHECK(cudaMemcpyFromSymbol(&result, device_counter_symbol(), 4, 0, cudaMemcpyDeviceToHost) ==
          cudaSuccess);
    return result;
  };
  void* first = nullptr;
  void* second = nullptr;
  CHECK(cudaGetSymbolAddress(&first, device_counter_symbol()) == cudaSuccess);
  CHECK(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaGetSymbolAddress(&second, device_counter_symbol()) == cudaSuccess);
  CHECK(first != second);
  launch_count();
  CHECK(value() == 6);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(value() == 5);
}

TEST_CASE("a kernel's attributes are set for each device", "[cudart][devices]") {
  constexpr size_t kBytes = 100000;
  int* memory = ints_on(0, 32);
  CHECK(cudaFuncSetAttribute(dynamic_shared_kernel(), cudaFuncAttributeMaxDynamicSharedMemorySize,
                             kBytes) == cudaSuccess);
  launch_dynamic_shared(32, kBytes, memory);
  CHECK(cudaGetLastError() == cudaSuccess);
  int* other = ints_on(1, 32);
  launch_dynamic_shared(32, kBytes, other);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("limits and memory of a device are its own in a reset", "[cudart][devices]") {
  int* kept = ints_on(0, 32);
  (void)ints_on(1, 32);
  size_t value = 0;
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096) == cudaSuccess);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&value, cudaLimitStackSize) == cudaSuccess);
  CHECK(value == 1024);
  CHECK(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&value, cudaLimitStackSize) == cudaSuccess);
  CHECK(value == 1024);
  size_t free_bytes = 0;
  size_t total = 0;
  CHECK(cudaMemGetInfo(&free_bytes, &total) == cudaSuccess);
  CHECK(free_bytes == total);
  CHECK(read(kept, 32) == std::vector<int>(32, 0));
}

TEST_CASE("memory of a pool is shared by the pool's access", "[cudart][devices]") {
  cudaMemPool_t pool = nullptr;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 1) == cudaSuccess);
  cudaMemLocation location = {};
  location.type = cudaMemLocationTypeDevice;
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtReadWrite;
  CHECK(cudaMemPoolGetAccess(&flags, pool, &location) == cudaSuccess);
  CHECK(flags == cudaMemAccessFlagsProtNone);
  CHECK(cudaSetDevice(1) == cudaSuccess);
  int* memory = nullptr;
  REQUIRE(cudaMallocAsync(reinterpret_cast<void**>(&memory), 128, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  cudaMemAccessDesc access = {};
  access.location = location;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  CHECK(cudaMemPoolSetAccess(pool, &access, 1) == cudaSuccess);
  CHECK(cudaMemPoolGetAccess(&flags, pool, &location) == cudaSuccess);
  CHECK(flags == cudaMemAccessFlagsProtReadWrite);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  launch_fill(1, 32, memory, 2);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(read(memory, 32) == std::vector<int>(32, 2));
}
