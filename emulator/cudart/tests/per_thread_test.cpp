// As --default-stream per-thread compiles host code.
#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#include <cuda_runtime_api.h>

#include <catch2/catch_test_macros.hpp>
#include <thread>

#include "emulator/cudart/tests/device_buffer.h"
#include "emulator/cudart/tests/kernels.h"

// In a program that is compiled so, each host thread has a default stream of its own.

namespace {

unsigned long long id_of(cudaStream_t stream) {
  unsigned long long id = 0;
  CHECK(cudaStreamGetId(stream, &id) == cudaSuccess);
  return id;
}

}  // namespace

TEST_CASE("each host thread has a default stream of its own", "[cudart][per-thread]") {
  const unsigned long long here = id_of(nullptr);
  CHECK(here == id_of(cudaStreamPerThread));
  CHECK(here != id_of(cudaStreamLegacy));
  unsigned long long there = here;
  std::thread([&] { there = id_of(nullptr); }).join();
  CHECK(there != here);
  CHECK(there != id_of(cudaStreamLegacy));
  CHECK(cudaStreamDestroy(cudaStreamPerThread) == cudaErrorInvalidResourceHandle);
}

TEST_CASE("a thread's default stream does not wait for created streams", "[cudart][per-thread]") {
  constexpr int kBytes = 64 << 20;
  DeviceBuffer<char> large(kBytes);
  DeviceBuffer<char> small(64);
  void* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, kBytes) == cudaSuccess);
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  const auto waits = [&](cudaStream_t in) {
    cudaEvent_t events[2] = {};
    for (cudaEvent_t& event : events) REQUIRE(cudaEventCreate(&event) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    REQUIRE(cudaEventRecord(events[0], in) == cudaSuccess);
    // Takes 2.7 ms.
    REQUIRE(cudaMemcpyAsync(large.get(), pinned, kBytes, cudaMemcpyHostToDevice, stream) ==
            cudaSuccess);
    REQUIRE(cudaMemsetAsync(small.get(), 0, 64, in) == cudaSuccess);
    REQUIRE(cudaEventRecord(events[1], in) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    float ms = 0;
    REQUIRE(cudaEventElapsedTime(&ms, events[0], events[1]) == cudaSuccess);
    return ms > 1;
  };
  CHECK_FALSE(waits(nullptr));
  CHECK(waits(cudaStreamLegacy));
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
}

TEST_CASE("the legacy default stream waits for the threads' default streams",
          "[cudart][per-thread]") {
  constexpr int kBytes = 64 << 20;
  DeviceBuffer<char> large(kBytes);
  void* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, kBytes) == cudaSuccess);
  cudaEvent_t events[2] = {};
  for (cudaEvent_t& event : events) REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  REQUIRE(cudaEventRecord(events[0], nullptr) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(large.get(), pinned, kBytes, cudaMemcpyHostToDevice, nullptr) ==
          cudaSuccess);
  REQUIRE(cudaEventRecord(events[1], cudaStreamLegacy) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  float ms = 0;
  REQUIRE(cudaEventElapsedTime(&ms, events[0], events[1]) == cudaSuccess);
  CHECK(ms > 1);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
}

TEST_CASE("a copy that waits and a launch are in the thread's default stream",
          "[cudart][per-thread]") {
  DeviceBuffer<int> device(32);
  int* data = device.get();
  int value = 6;
  void* arguments[] = {&data, &value};
  REQUIRE(cudaLaunchKernel(fill_kernel(), dim3(1), dim3(32), arguments, 0, nullptr) == cudaSuccess);
  int last = 0;
  CHECK(cudaMemcpy(&last, data + 31, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(last == 6);
}
