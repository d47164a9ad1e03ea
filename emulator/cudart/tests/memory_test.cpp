#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <memory>

#include "emulator/cudart/tests/device_buffer.h"
#include "emulator/cudart/tests/kernels.h"

// The error codes were measured on an H200 with CUDA 13.0.

TEST_CASE("allocations are aligned and apart", "[cudart][memory]") {
  void* first = nullptr;
  void* second = nullptr;
  REQUIRE(cudaMalloc(&first, 4) == cudaSuccess);
  REQUIRE(cudaMalloc(&second, 4) == cudaSuccess);
  CHECK(reinterpret_cast<std::size_t>(first) % 256 == 0);
  CHECK(reinterpret_cast<std::size_t>(second) % 256 == 0);
  CHECK(first != second);
  CHECK(cudaFree(first) == cudaSuccess);
  CHECK(cudaFree(second) == cudaSuccess);
}

TEST_CASE("no bytes give a null pointer, more than the card has an error", "[cudart][memory]") {
  void* pointer = &pointer;
  CHECK(cudaMalloc(&pointer, 0) == cudaSuccess);
  CHECK(pointer == nullptr);
  CHECK(cudaMalloc(&pointer, std::size_t{1} << 50) == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaMalloc(nullptr, 4) == cudaErrorInvalidValue);
}

TEST_CASE("only the pointer that was returned frees, and once", "[cudart][memory]") {
  char* pointer = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&pointer), 1024) == cudaSuccess);
  CHECK(cudaFree(pointer + 4) == cudaErrorInvalidValue);
  CHECK(cudaFree(pointer) == cudaSuccess);
  CHECK(cudaFree(pointer) == cudaErrorInvalidValue);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  const std::unique_ptr<char[]> host(new char[64]);
  CHECK(cudaFree(host.get()) == cudaErrorInvalidValue);
}

TEST_CASE("each kind of memory has its own free", "[cudart][memory]") {
  void* pinned = nullptr;
  void* managed = nullptr;
  void* device = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 64) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal) == cudaSuccess);
  REQUIRE(cudaMalloc(&device, 64) == cudaSuccess);
  CHECK(cudaFree(pinned) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(device) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(managed) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaErrorInvalidValue);
  CHECK(cudaFree(managed) == cudaSuccess);
  CHECK(cudaFree(device) == cudaSuccess);
  CHECK(cudaFreeHost(nullptr) == cudaSuccess);
}

TEST_CASE("free memory shrinks by what is allocated and comes back", "[cudart][memory]") {
  std::size_t before = 0;
  std::size_t total = 0;
  REQUIRE(cudaMemGetInfo(&before, &total) == cudaSuccess);
  CHECK(before <= total);
  void* pointer = nullptr;
  REQUIRE(cudaMalloc(&pointer, 1 << 20) == cudaSuccess);
  std::size_t during = 0;
  REQUIRE(cudaMemGetInfo(&during, &total) == cudaSuccess);
  CHECK(before - during >= 1 << 20);
  REQUIRE(cudaFree(pointer) == cudaSuccess);
  std::size_t after = 0;
  REQUIRE(cudaMemGetInfo(&after, &total) == cudaSuccess);
  CHECK(after == before);
}

TEST_CASE("kernels read and write pinned, registered and managed memory in place",
          "[cudart][memory]") {
  int* pinned = nullptr;
  int* managed = nullptr;
  REQUIRE(cudaHostAlloc(reinterpret_cast<void**>(&pinned), 128, cudaHostAllocMapped) ==
          cudaSuccess);
  REQUIRE(cudaMallocManaged(reinterpret_cast<void**>(&managed), 128, cudaMemAttachGlobal) ==
          cudaSuccess);
  std::vector<int> registered(32);
  REQUIRE(cudaHostRegister(registered.data(), 128, cudaHostRegisterDefault) == cudaSuccess);
  void* mapped = nullptr;
  CHECK(cudaHostGetDevicePointer(&mapped, pinned, 0) == cudaSuccess);
  launch_fill(1, 32, static_cast<int*>(mapped), 1);
  launch_fill(1, 32, managed, 2);
  launch_fill(1, 32, registered.data(), 3);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(pinned[31] == 1);
  CHECK(managed[31] == 2);
  CHECK(registered[31] == 3);
  CHECK(cudaHostUnregister(registered.data()) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaFree(managed) == cudaSuccess);
}

TEST_CASE("host memory is registered once", "[cudart][memory]") {
  std::vector<int> host(16);
  void* mapped = nullptr;
  CHECK(cudaHostGetDevicePointer(&mapped, host.data(), 0) == cudaErrorInvalidValue);
  CHECK(cudaHostRegister(host.data(), 64, 0) == cudaSuccess);
  CHECK(cudaHostRegister(host.data(), 64, 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostUnregister(host.data()) == cudaSuccess);
  CHECK(cudaHostUnregister(host.data()) == cudaErrorHostMemoryNotRegistered);
}

TEST_CASE("stream-ordered allocation works like the other", "[cudart][memory]") {
  void* pointer = nullptr;
  CHECK(cudaMallocAsync(&pointer, 128, nullptr) == cudaSuccess);
  launch_fill(1, 32, static_cast<int*>(pointer), 4);
  CHECK(cudaFreeAsync(pointer, nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(pointer, nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("the default pool keeps its attributes and gives memory", "[cudart][memory]") {
  cudaMemPool_t pool = nullptr;
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
  std::size_t threshold = 1 << 20;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold) == cudaSuccess);
  std::size_t back = 0;
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &back) == cudaSuccess);
  CHECK(back == threshold);
  void* pointer = nullptr;
  CHECK(cudaMallocFromPoolAsync(&pointer, 64, pool, nullptr) == cudaSuccess);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &back) == cudaSuccess);
  CHECK(back >= 64);
  CHECK(cudaFreeAsync(pointer, nullptr) == cudaSuccess);
  CHECK(cudaMemPoolTrimTo(nullptr, 0) == cudaErrorInvalidValue);
}

TEST_CASE("a pool counts its own memory in use, and the most that there was", "[cudart][memory]") {
  const DeviceBuffer<int> other(1024);
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool = nullptr;
  REQUIRE(cudaMemPoolCreate(&pool, &properties) == cudaSuccess);
  const auto bytes = [&](cudaMemPoolAttr attribute) {
    std::size_t value = 0;
    CHECK(cudaMemPoolGetAttribute(pool, attribute, &value) == cudaSuccess);
    return value;
  };
  void *first = nullptr, *second = nullptr;
  CHECK(cudaMallocFromPoolAsync(&first, 4096, pool, nullptr) == cudaSuccess);
  CHECK(cudaMallocFromPoolAsync(&second, 1024, pool, nullptr) == cudaSuccess);
  CHECK(bytes(cudaMemPoolAttrUsedMemCurrent) == 5120);
  CHECK(bytes(cudaMemPoolAttrReservedMemCurrent) == 32 << 20);
  CHECK(cudaFreeAsync(first, nullptr) == cudaSuccess);
  CHECK(bytes(cudaMemPoolAttrUsedMemCurrent) == 1024);
  CHECK(bytes(cudaMemPoolAttrUsedMemHigh) == 5120);
  std::size_t zero = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero) == cudaSuccess);
  CHECK(bytes(cudaMemPoolAttrUsedMemHigh) == 1024);
  CHECK(cudaFree(second) == cudaSuccess);
  CHECK(bytes(cudaMemPoolAttrUsedMemCurrent) == 0);
  CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);
}

TEST_CASE("pointer attributes tell the kinds of memory apart", "[cudart][memory]") {
  const auto attributes_of = [](void* pointer) {
    cudaPointerAttributes attributes = {};
    CHECK(cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess);
    return attributes;
  };
  DeviceBuffer<int> device(16);
  const auto of_device = attributes_of(device.get() + 1);
  CHECK(of_device.type == cudaMemoryTypeDevice);
  CHECK(of_device.device == 0);
  CHECK(of_device.devicePointer == device.get() + 1);
  CHECK(of_device.hostPointer == nullptr);
  int host = 0;
  const auto of_host = attributes_of(&host);
  CHECK(of_host.type == cudaMemoryTypeUnregistered);
  CHECK(of_host.device == -2);
  CHECK(of_host.devicePointer == nullptr);
  CHECK(of_host.hostPointer == &host);
  void* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 64) == cudaSuccess);
  CHECK(attributes_of(pinned).type == cudaMemoryTypeHost);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  void* managed = nullptr;
  REQUIRE(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal) == cudaSuccess);
  CHECK(attributes_of(managed).type == cudaMemoryTypeManaged);
  CHECK(cudaFree(managed) == cudaSuccess);
  CHECK(attributes_of(device.get() + 16).type == cudaMemoryTypeUnregistered);
}

TEST_CASE("a pool of the program's own is made, chosen and given back", "[cudart][memory]") {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t standard = nullptr;
  cudaMemPool_t made = nullptr;
  cudaMemPool_t current = nullptr;
  REQUIRE(cudaDeviceGetDefaultMemPool(&standard, 0) == cudaSuccess);
  REQUIRE(cudaMemPoolCreate(&made, &properties) == cudaSuccess);
  CHECK(made != standard);
  CHECK(cudaDeviceSetMemPool(0, made) == cudaSuccess);
  CHECK(cudaDeviceGetMemPool(&current, 0) == cudaSuccess);
  CHECK(current == made);
  void* pointer = nullptr;
  CHECK(cudaMallocFromPoolAsync(&pointer, 64, made, nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(pointer, nullptr) == cudaSuccess);
  CHECK(cudaMemPoolDestroy(made) == cudaSuccess);
  CHECK(cudaMemPoolDestroy(made) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolDestroy(standard) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetMemPool(&current, 0) == cudaSuccess);
  CHECK(current == standard);
  properties.location.id = 1;
  CHECK(cudaMemPoolCreate(&made, &properties) == cudaErrorInvalidDevice);
}
