#include <cuda_runtime_api.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include "emulator/cudart/tests/device_buffer.h"
#include "emulator/cudart/tests/kernels.h"

// Who may use memory, and streams and captures as seen from a thread.

namespace {

/// Managed memory for a test, freed at its end.
struct Managed {
  int* data = nullptr;
  explicit Managed(std::size_t count) {
    REQUIRE(cudaMallocManaged(reinterpret_cast<void**>(&data), count * sizeof(int),
                              cudaMemAttachGlobal) == cudaSuccess);
  }
  ~Managed() { (void)cudaFree(data); }
  Managed(const Managed&) = delete;
  Managed& operator=(const Managed&) = delete;
};

}  // namespace

TEST_CASE("pinned memory is mapped and tells so, other memory is refused", "[cudart][memory]") {
  void* pinned = nullptr;
  REQUIRE(cudaHostAlloc(&pinned, 64, cudaHostAllocMapped) == cudaSuccess);
  unsigned flags = 0;
  CHECK(cudaHostGetFlags(&flags, pinned) == cudaSuccess);
  CHECK((flags & cudaHostAllocMapped) != 0);
  CHECK(cudaHostGetFlags(nullptr, pinned) == cudaErrorInvalidValue);
  int pageable = 0;
  CHECK(cudaHostGetFlags(&flags, &pageable) == cudaErrorInvalidValue);
  const DeviceBuffer<int> device(1);
  CHECK(cudaHostGetFlags(&flags, device.get()) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
}

TEST_CASE("a pool is open to its own device, and cannot be closed to it", "[cudart][memory]") {
  cudaMemPool_t pool = nullptr;
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
  cudaMemAccessDesc access = {};
  access.location = {cudaMemLocationTypeDevice, 0};
  access.flags = cudaMemAccessFlagsProtReadWrite;
  CHECK(cudaMemPoolSetAccess(pool, &access, 1) == cudaSuccess);
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  CHECK(cudaMemPoolGetAccess(&flags, pool, &access.location) == cudaSuccess);
  CHECK(flags == cudaMemAccessFlagsProtReadWrite);
  access.flags = cudaMemAccessFlagsProtNone;
  CHECK(cudaMemPoolSetAccess(pool, &access, 1) == cudaErrorInvalidValue);
  access.location.id = 1;
  CHECK(cudaMemPoolSetAccess(pool, &access, 1) == cudaErrorInvalidDevice);
  CHECK(cudaMemPoolGetAccess(&flags, pool, &access.location) == cudaErrorInvalidDevice);
  CHECK(cudaMemPoolGetAccess(nullptr, pool, &access.location) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolSetAccess(nullptr, &access, 1) == cudaErrorInvalidValue);
}

TEST_CASE("managed memory is attached to a stream as a whole", "[cudart][memory]") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  const Managed managed(16);
  for (const unsigned flags : {cudaMemAttachGlobal, cudaMemAttachHost, cudaMemAttachSingle}) {
    CHECK(cudaStreamAttachMemAsync(stream, managed.data, 0, flags) == cudaSuccess);
  }
  CHECK(cudaStreamAttachMemAsync(stream, managed.data, 64, cudaMemAttachSingle) == cudaSuccess);
  CHECK(cudaStreamAttachMemAsync(stream, managed.data, 32, cudaMemAttachSingle) ==
        cudaErrorInvalidValue);
  CHECK(cudaStreamAttachMemAsync(stream, managed.data, 0, 8) == cudaErrorInvalidValue);
  // Memory cannot belong to the default stream alone.
  CHECK(cudaStreamAttachMemAsync(nullptr, managed.data, 0, cudaMemAttachSingle) ==
        cudaErrorInvalidValue);
  const DeviceBuffer<int> device(16);
  CHECK(cudaStreamAttachMemAsync(stream, device.get(), 0, cudaMemAttachSingle) ==
        cudaErrorInvalidValue);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("advice about managed memory is taken, about other memory refused", "[cudart][memory]") {
  const Managed managed(16);
  const cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
  const cudaMemLocation none = {cudaMemLocationTypeDevice, 7};
  CHECK(cudaMemAdvise(managed.data, 64, cudaMemAdviseSetReadMostly, device) == cudaSuccess);
  CHECK(cudaMemAdvise(managed.data, 64, cudaMemAdviseSetPreferredLocation, none) ==
        cudaErrorInvalidDevice);
  const DeviceBuffer<int> other(16);
  CHECK(cudaMemAdvise(other.get(), 64, cudaMemAdviseSetReadMostly, device) ==
        cudaErrorInvalidValue);
}

TEST_CASE("each stream has a number of its own", "[cudart][stream]") {
  cudaStream_t first = nullptr;
  cudaStream_t second = nullptr;
  REQUIRE(cudaStreamCreate(&first) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&second) == cudaSuccess);
  unsigned long long one = 0;
  unsigned long long two = 0;
  unsigned long long again = 0;
  CHECK(cudaStreamGetId(first, &one) == cudaSuccess);
  CHECK(cudaStreamGetId(second, &two) == cudaSuccess);
  CHECK(cudaStreamGetId(first, &again) == cudaSuccess);
  CHECK(one != two);
  CHECK(one == again);
  CHECK(cudaStreamGetId(first, nullptr) == cudaErrorInvalidValue);
  cudaLaunchAttributeValue value = {};
  value.accessPolicyWindow.num_bytes = 256;
  CHECK(cudaStreamSetAttribute(first, cudaLaunchAttributeAccessPolicyWindow, &value) ==
        cudaSuccess);
  CHECK(cudaStreamCopyAttributes(second, first) == cudaSuccess);
  value = {};
  CHECK(cudaStreamGetAttribute(second, cudaLaunchAttributeAccessPolicyWindow, &value) ==
        cudaSuccess);
  CHECK(value.accessPolicyWindow.num_bytes == 256);
  CHECK(cudaStreamDestroy(second) == cudaSuccess);
  CHECK(cudaStreamGetId(second, &two) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamCopyAttributes(second, first) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamDestroy(first) == cudaSuccess);
}

TEST_CASE("an event is recorded with known flags only", "[cudart][stream]") {
  cudaEvent_t event = nullptr;
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  CHECK(cudaEventRecordWithFlags(event, nullptr, cudaEventRecordDefault) == cudaSuccess);
  CHECK(cudaEventQuery(event) == cudaSuccess);
  CHECK(cudaEventRecordWithFlags(event, nullptr, 0x10) == cudaErrorInvalidValue);
  CHECK(cudaEventRecordWithFlags(nullptr, nullptr, 0) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
}

TEST_CASE("a thread of mode relaxed may allocate while a stream is captured globally",
          "[cudart][graph]") {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  void* memory = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
  CHECK(mode == cudaStreamCaptureModeGlobal);
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaMalloc(&memory, 16) == cudaSuccess);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
  CHECK(mode == cudaStreamCaptureModeRelaxed);
  CHECK(cudaThreadExchangeStreamCaptureMode(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("what comes next in a capture can depend on other nodes", "[cudart][graph]") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  DeviceBuffer<int> device(std::vector<int>(32, 0));
  CHECK(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0,
                                            cudaStreamSetCaptureDependencies) ==
        cudaErrorIllegalState);
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  launch_fill(1, 32, device.get(), 1, stream);
  CHECK(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0,
                                            cudaStreamSetCaptureDependencies) == cudaSuccess);
  CHECK(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 7) ==
        cudaErrorInvalidValue);
  launch_fill(1, 32, device.get(), 2, stream);
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  size_t roots = 0;
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots) == cudaSuccess);
  CHECK(roots == 2);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("a library is loaded from a file", "[cudart][library]") {
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     ("cudart_library_" + std::to_string(::getpid()) + ".ptx");
  std::ofstream(file) << ".version 8.0\n.target sm_75\n.address_size 64\n"
                         ".visible .global .align 4 .u32 answer = 42;\n";
  cudaLibrary_t library = nullptr;
  const auto load = [&](const char* path) {
    return cudaLibraryLoadFromFile(&library, path, nullptr, nullptr, 0, nullptr, nullptr, 0);
  };
  REQUIRE(load(file.c_str()) == cudaSuccess);
  std::filesystem::remove(file);
  void* answer = nullptr;
  size_t bytes = 0;
  CHECK(cudaLibraryGetGlobal(&answer, &bytes, library, "answer") == cudaSuccess);
  int value = 0;
  CHECK(cudaMemcpy(&value, answer, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(value == 42);
  CHECK(cudaLibraryUnload(library) == cudaSuccess);
  CHECK(load(file.c_str()) == cudaErrorFileNotFound);
  CHECK(load(nullptr) == cudaErrorInvalidValue);
}
