#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "emulator/cudart/tests/device_buffer.h"
#include "emulator/cudart/tests/kernels.h"

TEST_CASE("work in a stream is done when the stream is synchronised", "[cudart][stream]") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  DeviceBuffer<int> device(32);
  std::vector<int> host(32);
  launch_fill(1, 32, device.get(), 6, stream);
  CHECK(cudaMemcpyAsync(host.data(), device.get(), 128, cudaMemcpyDeviceToHost, stream) ==
        cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(host == std::vector<int>(32, 6));
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("the default streams need not be created and cannot be destroyed", "[cudart][stream]") {
  CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
  CHECK(cudaStreamSynchronize(cudaStreamLegacy) == cudaSuccess);
  CHECK(cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess);
  CHECK(cudaStreamDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamDestroy(cudaStreamLegacy) == cudaErrorInvalidResourceHandle);
}

TEST_CASE("flags and priorities are kept, priorities within their range", "[cudart][stream]") {
  int least = 1;
  int greatest = 1;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess);
  CHECK(least == 0);
  CHECK(greatest == -5);
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -99) == cudaSuccess);
  int priority = 0;
  unsigned flags = 0;
  CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
  CHECK(cudaStreamGetFlags(stream, &flags) == cudaSuccess);
  CHECK(priority == -5);
  CHECK(flags == cudaStreamNonBlocking);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaStreamCreateWithFlags(&stream, 5) == cudaErrorInvalidValue);
  CHECK(cudaStreamCreate(nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("host functions and callbacks run in their place", "[cudart][stream]") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  std::vector<int> order;
  CHECK(cudaLaunchHostFunc(
            stream, [](void* data) { static_cast<std::vector<int>*>(data)->push_back(1); },
            &order) == cudaSuccess);
  CHECK(cudaStreamAddCallback(
            stream,
            [](cudaStream_t, cudaError_t status, void* data) {
              static_cast<std::vector<int>*>(data)->push_back(status == cudaSuccess ? 2 : -1);
            },
            &order, 0) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(order == std::vector<int>{1, 2});
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("events measure the modelled time of what is between them", "[cudart][event]") {
  cudaEvent_t start = nullptr;
  cudaEvent_t middle = nullptr;
  cudaEvent_t end = nullptr;
  REQUIRE(cudaEventCreate(&start) == cudaSuccess);
  REQUIRE(cudaEventCreate(&middle) == cudaSuccess);
  REQUIRE(cudaEventCreate(&end) == cudaSuccess);
  DeviceBuffer<int> device(1 << 16);
  CHECK(cudaEventRecord(start, nullptr) == cudaSuccess);
  CHECK(cudaEventRecord(middle, nullptr) == cudaSuccess);
  launch_fill(256, 256, device.get(), 1);
  CHECK(cudaEventRecord(end, nullptr) == cudaSuccess);
  CHECK(cudaEventSynchronize(end) == cudaSuccess);
  CHECK(cudaEventQuery(end) == cudaSuccess);
  float nothing = 0;
  float kernel = 0;
  float backwards = 0;
  CHECK(cudaEventElapsedTime(&nothing, start, middle) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&kernel, middle, end) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&backwards, end, middle) == cudaSuccess);
  CHECK(nothing > 0);
  CHECK(kernel > nothing);
  CHECK(backwards == -kernel);
  CHECK(cudaEventDestroy(start) == cudaSuccess);
  CHECK(cudaEventDestroy(middle) == cudaSuccess);
  CHECK(cudaEventDestroy(end) == cudaSuccess);
}

TEST_CASE("events that were not recorded or do not time have no elapsed time", "[cudart][event]") {
  cudaEvent_t timed = nullptr;
  cudaEvent_t untimed = nullptr;
  cudaEvent_t unrecorded = nullptr;
  REQUIRE(cudaEventCreate(&timed) == cudaSuccess);
  REQUIRE(cudaEventCreate(&unrecorded) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming) == cudaSuccess);
  CHECK(cudaEventRecord(timed, nullptr) == cudaSuccess);
  CHECK(cudaEventRecord(untimed, nullptr) == cudaSuccess);
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, timed, unrecorded) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventElapsedTime(&ms, timed, untimed) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventElapsedTime(nullptr, timed, timed) == cudaErrorInvalidValue);
  CHECK(cudaEventElapsedTime(&ms, timed, timed) == cudaSuccess);
  CHECK(ms == 0);
  CHECK(cudaEventQuery(unrecorded) == cudaSuccess);
  CHECK(cudaEventRecord(nullptr, nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventCreateWithFlags(&timed, 64) == cudaErrorInvalidValue);
}
