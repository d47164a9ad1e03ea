#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "emulator/cudart/tests/device_buffer.h"
#include "emulator/cudart/tests/kernels.h"

namespace {

/// The error of cudaGetLastError after a launch, which the launch does not return.
cudaError_t after_launch() {
  return cudaGetLastError();
}

}  // namespace

TEST_CASE("a kernel runs with its grid, block and arguments", "[cudart][launch]") {
  DeviceBuffer<int> out(96);
  launch_fill(3, 32, out.get(), 42);
  CHECK(after_launch() == cudaSuccess);
  CHECK(out.read() == std::vector<int>(96, 42));
}

TEST_CASE("dynamic shared memory has the launched size", "[cudart][launch]") {
  DeviceBuffer<int> out(64);
  launch_dynamic_shared(64, 64 * sizeof(int), out.get());
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out.read().front() == 126);
  CHECK(out.read().back() == 0);
}

// The codes are those of CUDA 13.0 on an H200.
TEST_CASE("an impossible configuration is refused and runs nothing", "[cudart][launch]") {
  DeviceBuffer<int> out(std::vector<int>(64, 7));
  const auto refused = [&](dim3 grid, dim3 block, size_t shared) {
    launch_fill(grid, block, shared, out.get());
    const cudaError_t error = after_launch();
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    return error;
  };
  CHECK(refused({0, 1, 1}, {32, 1, 1}, 0) == cudaErrorInvalidValue);
  CHECK(refused({1, 1, 1}, {0, 1, 1}, 0) == cudaErrorInvalidValue);
  CHECK(refused({1, 1, 1}, {1025, 1, 1}, 0) == cudaErrorInvalidValue);
  CHECK(refused({1, 1, 1}, {1024, 2, 1}, 0) == cudaErrorInvalidValue);
  CHECK(refused({1, 1, 1}, {1, 1, 65}, 0) == cudaErrorInvalidValue);
  CHECK(refused({1, 65536, 1}, {1, 1, 1}, 0) == cudaErrorInvalidValue);
  CHECK(refused({1, 1, 1}, {32, 1, 1}, 49153) == cudaErrorInvalidValue);
  CHECK(out.read() == std::vector<int>(64, 7));
}

TEST_CASE("a configuration at the limits runs", "[cudart][launch]") {
  DeviceBuffer<int> out(1024);
  launch_fill({1, 1, 1}, {1024, 1, 1}, 49152, out.get());
  CHECK(after_launch() == cudaSuccess);
  launch_fill({1, 65535, 1}, {1, 1, 1}, 0, out.get());
  CHECK(after_launch() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("launch bounds are limits", "[cudart][launch]") {
  DeviceBuffer<int> out(256);
  launch_bounded(128, out.get());
  CHECK(after_launch() == cudaSuccess);
  launch_bounded(129, out.get());
  CHECK(after_launch() == cudaErrorInvalidValue);
}

TEST_CASE("static shared memory counts against the limit of dynamic", "[cudart][launch]") {
  DeviceBuffer<int> out(32);
  launch_static_shared(32, 48128, out.get());
  CHECK(after_launch() == cudaSuccess);
  launch_static_shared(32, 48129, out.get());
  CHECK(after_launch() == cudaErrorInvalidValue);
}

TEST_CASE("opting in allows more dynamic shared memory, up to the card's limit",
          "[cudart][launch]") {
  DeviceBuffer<int> out(32);
  int most = 0;
  REQUIRE(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0) == cudaSuccess);
  const auto set = [](int bytes) {
    return cudaFuncSetAttribute(dynamic_shared_kernel(),
                                cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  };
  launch_dynamic_shared(32, static_cast<size_t>(most), out.get());
  CHECK(after_launch() == cudaErrorInvalidValue);
  CHECK(set(most + 1) == cudaErrorInvalidValue);
  CHECK(set(-1) == cudaErrorInvalidValue);
  CHECK(set(most) == cudaSuccess);
  (void)cudaGetLastError();
  launch_dynamic_shared(32, static_cast<size_t>(most), out.get());
  CHECK(after_launch() == cudaSuccess);
}

TEST_CASE("cudaLaunchKernel takes a host stub and an array of argument addresses",
          "[cudart][launch]") {
  DeviceBuffer<int> out(32);
  int* pointer = out.get();
  int value = 9;
  void* arguments[] = {&pointer, &value};
  CHECK(cudaLaunchKernel(fill_kernel(), dim3(1), dim3(32), arguments, 0, nullptr) == cudaSuccess);
  CHECK(out.read() == std::vector<int>(32, 9));
}

TEST_CASE("launching a function that is not a kernel is a different error", "[cudart][launch]") {
  int not_a_kernel = 0;
  CHECK(cudaLaunchKernel(&not_a_kernel, dim3(1), dim3(1), nullptr, 0, nullptr) ==
        cudaErrorInvalidResourceHandle);
  CHECK(cudaLaunchKernel(static_cast<const void*>(nullptr), dim3(1), dim3(1), nullptr, 0,
                         nullptr) == cudaErrorInvalidDeviceFunction);
}

TEST_CASE("a cooperative launch must fit on the card", "[cudart][launch]") {
  DeviceBuffer<int> out(1024);
  int* pointer = out.get();
  int value = 3;
  void* arguments[] = {&pointer, &value};
  CHECK(cudaLaunchCooperativeKernel(fill_kernel(), dim3(1), dim3(1024), arguments, 0, nullptr) ==
        cudaSuccess);
  CHECK(out.read() == std::vector<int>(1024, 3));
  CHECK(cudaLaunchCooperativeKernel(fill_kernel(), dim3(100000), dim3(1024), arguments, 0,
                                    nullptr) == cudaErrorCooperativeLaunchTooLarge);
}

TEST_CASE("cudaLaunchKernelExC reads its configuration and ignores hints", "[cudart][launch]") {
  DeviceBuffer<int> out(64);
  int* pointer = out.get();
  int value = 5;
  void* arguments[] = {&pointer, &value};
  cudaLaunchAttribute hint = {};
  hint.id = cudaLaunchAttributePriority;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(2);
  config.blockDim = dim3(32);
  config.attrs = &hint;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelExC(&config, fill_kernel(), arguments) == cudaSuccess);
  CHECK(out.read() == std::vector<int>(64, 5));
}

TEST_CASE("a launch with an attribute that does not exist is refused", "[cudart][launch]") {
  DeviceBuffer<int> out(std::vector<int>(32));
  int* pointer = out.get();
  int value = 5;
  void* arguments[] = {&pointer, &value};
  cudaLaunchAttribute unknown = {};
  unknown.id = static_cast<cudaLaunchAttributeID>(31);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(32);
  config.attrs = &unknown;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelExC(&config, fill_kernel(), arguments) == cudaErrorInvalidValue);
  config.attrs = nullptr;
  CHECK(cudaLaunchKernelExC(&config, fill_kernel(), arguments) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(out.read() == std::vector<int>(32));
}
