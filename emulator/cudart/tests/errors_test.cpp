#include <catch2/catch_test_macros.hpp>
#include <string>

#include "emulator/cudart/tests/device_buffer.h"
#include "emulator/cudart/tests/kernels.h"

// Each test case runs in a process of its own, so a sticky error ends with it. The behaviour was
// measured on an H200 with CUDA 13.0.

TEST_CASE("an ordinary error is kept until it is asked for", "[cudart][error]") {
  CHECK(cudaSetDevice(7) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a fault is seen at the next synchronisation and never goes away", "[cudart][error]") {
  int* device = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), 64) == cudaSuccess);
  launch_write_at(device, 1ll << 36);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaSuccess);
  void* other = nullptr;
  CHECK(cudaMalloc(&other, 4) == cudaErrorIllegalAddress);
  CHECK(cudaFree(device) == cudaErrorIllegalAddress);
  CHECK(cudaStreamQuery(nullptr) == cudaErrorIllegalAddress);
  launch_fill(1, 1, device, 0);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
}

TEST_CASE("asking about the device works after a fault", "[cudart][error]") {
  launch_assert_zero(1);
  CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
  int count = 0;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 1);
  cudaDeviceProp properties = {};
  CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  cudaPointerAttributes attributes = {};
  CHECK(cudaPointerGetAttributes(&attributes, &count) == cudaSuccess);
}

TEST_CASE("a reset after a fault succeeds and leaves no usable device", "[cudart][error]") {
  launch_assert_zero(1);
  CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess);
  void* pointer = nullptr;
  CHECK(cudaMalloc(&pointer, 4) == cudaErrorDevicesUnavailable);
}

TEST_CASE("a reset without a fault leaves a usable device", "[cudart][error]") {
  CHECK(cudaDeviceReset() == cudaSuccess);
  DeviceBuffer<int> device(4);
  launch_fill(1, 4, device.get(), 1);
  CHECK(device.read()[3] == 1);
}

TEST_CASE("a reset frees everything", "[cudart][error]") {
  void* device = nullptr;
  cudaStream_t stream = nullptr;
  REQUIRE(cudaMalloc(&device, 64) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaFree(device) == cudaErrorInvalidValue);
  CHECK(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
  std::size_t free = 0;
  std::size_t total = 0;
  CHECK(cudaMemGetInfo(&free, &total) == cudaSuccess);
  CHECK(total - free < 1 << 20);  // device variables stay
}

TEST_CASE("a launch after an unreported fault is dropped silently", "[cudart][error]") {
  DeviceBuffer<char> device(std::vector<char>(64));
  launch_write_misaligned(device.get());
  launch_print(1);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
}

TEST_CASE("a passed assertion is not a fault", "[cudart][error]") {
  launch_assert_zero(0);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("a kernel that never ends is ended as a timeout", "[cudart][error]") {
  DeviceBuffer<int> flag(std::vector<int>{0});
  launch_spin(flag.get());
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
}

TEST_CASE("errors have names and texts, unknown numbers say that they are", "[cudart][error]") {
  CHECK(std::string(cudaGetErrorName(cudaErrorIllegalAddress)) == "cudaErrorIllegalAddress");
  CHECK(std::string(cudaGetErrorString(cudaSuccess)) == "no error");
  CHECK(std::string(cudaGetErrorString(cudaErrorInvalidValue)) == "invalid argument");
  CHECK(std::string(cudaGetErrorString(static_cast<cudaError_t>(1000))) ==
        "unrecognized error code");
}
