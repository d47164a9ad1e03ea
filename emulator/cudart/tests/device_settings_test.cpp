#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "emulator/cudart/tests/device_buffer.h"
#include "emulator/cudart/tests/kernels.h"

// Settings of the device and of functions, and what the device says about itself.

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

TEST_CASE("flags of the device are given back as they were set", "[cudart][device]") {
  unsigned before = 0;
  REQUIRE(cudaGetDeviceFlags(&before) == cudaSuccess);
  unsigned flags = 0;
  CHECK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync) == cudaSuccess);
  CHECK(cudaGetDeviceFlags(&flags) == cudaSuccess);
  CHECK((flags & cudaDeviceScheduleMask) == cudaDeviceScheduleBlockingSync);
  CHECK(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield) ==
        cudaErrorInvalidValue);
  CHECK(cudaSetDeviceFlags(0x4000) == cudaErrorInvalidValue);
  CHECK(cudaGetDeviceFlags(&flags) == cudaSuccess);
  CHECK((flags & cudaDeviceScheduleMask) == cudaDeviceScheduleBlockingSync);
  CHECK(cudaGetDeviceFlags(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaSetDeviceFlags(before) == cudaSuccess);
}

TEST_CASE("a device is initialized with flags only when they are said to be valid",
          "[cudart][device]") {
  unsigned before = 0;
  unsigned flags = 0;
  REQUIRE(cudaGetDeviceFlags(&before) == cudaSuccess);
  CHECK(cudaInitDevice(0, cudaDeviceScheduleYield, 0) == cudaSuccess);
  CHECK(cudaGetDeviceFlags(&flags) == cudaSuccess);
  CHECK(flags == before);
  CHECK(cudaInitDevice(0, cudaDeviceScheduleYield, cudaInitDeviceFlagsAreValid) == cudaSuccess);
  CHECK(cudaGetDeviceFlags(&flags) == cudaSuccess);
  CHECK((flags & cudaDeviceScheduleMask) == cudaDeviceScheduleYield);
  CHECK(cudaInitDevice(1, 0, 0) == cudaErrorInvalidDevice);
  CHECK(cudaSetDeviceFlags(before) == cudaSuccess);
}

TEST_CASE("a list of valid devices has no more than there are", "[cudart][device]") {
  int devices[2] = {0, 1};
  CHECK(cudaSetValidDevices(devices, 1) == cudaSuccess);
  CHECK(cudaSetValidDevices(devices + 1, 1) == cudaErrorInvalidDevice);
  CHECK(cudaSetValidDevices(devices, 2) == cudaErrorInvalidValue);
  CHECK(cudaSetValidDevices(nullptr, 1) == cudaErrorInvalidValue);
  CHECK(cudaSetValidDevices(nullptr, 0) == cudaSuccess);
}

TEST_CASE("the preferred cache configuration is given back as it was set", "[cudart][device]") {
  cudaFuncCache config = cudaFuncCachePreferL1;
  CHECK(cudaDeviceGetCacheConfig(&config) == cudaSuccess);
  CHECK(config == cudaFuncCachePreferNone);
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared) == cudaSuccess);
  CHECK(cudaDeviceGetCacheConfig(&config) == cudaSuccess);
  CHECK(config == cudaFuncCachePreferShared);
  CHECK(cudaDeviceSetCacheConfig(std::bit_cast<cudaFuncCache>(9)) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetCacheConfig(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone) == cudaSuccess);
  CHECK(cudaFuncSetCacheConfig(fill_kernel(), cudaFuncCachePreferL1) == cudaSuccess);
  CHECK(cudaFuncSetCacheConfig(&config, cudaFuncCachePreferL1) == cudaErrorInvalidResourceHandle);
}

TEST_CASE("banks of shared memory have four bytes whatever is asked for", "[cudart][device]") {
  CHECK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte) == cudaSuccess);
  cudaSharedMemConfig config = cudaSharedMemBankSizeDefault;
  CHECK(cudaDeviceGetSharedMemConfig(&config) == cudaSuccess);
  CHECK(config == cudaSharedMemBankSizeFourByte);
  CHECK(cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(3)) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetSharedMemConfig(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetSharedMemConfig(fill_kernel(), cudaSharedMemBankSizeEightByte) == cudaSuccess);
  CHECK(cudaFuncSetSharedMemConfig(&config, cudaSharedMemBankSizeEightByte) ==
        cudaErrorInvalidResourceHandle);
}

TEST_CASE("a device is not a peer of itself", "[cudart][device]") {
  int value = 0;
  CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0) ==
        cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1) ==
        cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetP2PAttribute(&value, static_cast<cudaDeviceP2PAttr>(6), 0, 0) ==
        cudaErrorInvalidValue);
  CHECK(cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 0) ==
        cudaErrorInvalidValue);
}

TEST_CASE("the profiler and the persisting part of the L2 cache can be switched without effect",
          "[cudart][device]") {
  DeviceBuffer<int> out(std::vector<int>(32, 0));
  CHECK(cudaProfilerStart() == cudaSuccess);
  launch_fill(1, 32, out.get(), 3);
  CHECK(cudaProfilerStop() == cudaSuccess);
  CHECK(cudaProfilerStop() == cudaSuccess);  // is not an error when it has not been started
  CHECK(cudaCtxResetPersistingL2Cache() == cudaSuccess);
  CHECK(out.read() == std::vector<int>(32, 3));
}

TEST_CASE("a texture over linear memory has at least as many elements as the attribute says",
          "[cudart][device]") {
  int least = 0;
  REQUIRE(cudaDeviceGetAttribute(&least, cudaDevAttrMaxTexture1DLinearWidth, 0) == cudaSuccess);
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  size_t elements = 0;
  CHECK(cudaDeviceGetTexture1DLinearMaxWidth(&elements, &format, 0) == cudaSuccess);
  CHECK(elements >= static_cast<size_t>(least));
  CHECK(cudaDeviceGetTexture1DLinearMaxWidth(&elements, &format, 1) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetTexture1DLinearMaxWidth(nullptr, &format, 0) == cudaErrorInvalidValue);
  const cudaChannelFormatDesc odd = {7, 0, 0, 0, cudaChannelFormatKindFloat};
  CHECK(cudaDeviceGetTexture1DLinearMaxWidth(&elements, &odd, 0) ==
        cudaErrorInvalidChannelDescriptor);
}

TEST_CASE("handles of functions launch them, and other addresses have none", "[cudart][function]") {
  cudaFunction_t function = nullptr;
  cudaKernel_t kernel = nullptr;
  CHECK(cudaGetFuncBySymbol(&function, fill_kernel()) == cudaSuccess);
  CHECK(cudaGetKernel(&kernel, fill_kernel()) == cudaSuccess);
  int host = 0;
  CHECK(cudaGetFuncBySymbol(&function, &host) == cudaErrorInvalidResourceHandle);
  CHECK(cudaGetFuncBySymbol(&function, nullptr) == cudaErrorInvalidDeviceFunction);
  CHECK(cudaGetFuncBySymbol(nullptr, fill_kernel()) == cudaErrorInvalidValue);
  cudaKernel_t none = nullptr;
  CHECK(cudaGetKernel(&none, &host) == cudaErrorInvalidResourceHandle);
  CHECK(cudaGetKernel(nullptr, fill_kernel()) == cudaErrorInvalidValue);
  DeviceBuffer<int> out(std::vector<int>(32, 0));
  int* pointer = out.get();
  int value = 11;
  void* arguments[] = {&pointer, &value};
  CHECK(cudaLaunchKernel(kernel, {1, 1, 1}, {32, 1, 1}, arguments, 0, nullptr) == cudaSuccess);
  CHECK(out.read() == std::vector<int>(32, 11));
}

TEST_CASE("an attribute of a kernel is set for a device", "[cudart][function]") {
  cudaKernel_t kernel = nullptr;
  REQUIRE(cudaGetKernel(&kernel, dynamic_shared_kernel()) == cudaSuccess);
  const auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
  CHECK(cudaKernelSetAttributeForDevice(kernel, attribute, 32 * 1024, 0) == cudaSuccess);
  cudaFuncAttributes found = {};
  CHECK(cudaFuncGetAttributes(&found, dynamic_shared_kernel()) == cudaSuccess);
  CHECK(found.maxDynamicSharedSizeBytes == 32 * 1024);
  CHECK(cudaKernelSetAttributeForDevice(kernel, attribute, 1 << 30, 0) == cudaErrorInvalidValue);
  CHECK(cudaKernelSetAttributeForDevice(kernel, attribute, 1024, 1) == cudaErrorInvalidDevice);
}

TEST_CASE("occupancy does not depend on the caching override, and other flags are refused",
          "[cudart][function]") {
  int plain = 0;
  int with_flags = 0;
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&plain, fill_kernel(), 256, 0) ==
          cudaSuccess);
  const unsigned flag =
      GENERATE(unsigned{cudaOccupancyDefault}, unsigned{cudaOccupancyDisableCachingOverride});
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&with_flags, fill_kernel(), 256, 0,
                                                               flag) == cudaSuccess);
  CHECK(with_flags == plain);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&with_flags, fill_kernel(), 256, 0,
                                                               2) == cudaErrorInvalidValue);
}

TEST_CASE("the driver's functions are not found by name either", "[cudart][library]") {
  void* function = &function;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSuccess;
  CHECK(cudaGetDriverEntryPoint("cuMemAlloc", &function, cudaEnableDefault, &status) ==
        cudaSuccess);
  CHECK(function == nullptr);
  CHECK(status == cudaDriverEntryPointSymbolNotFound);
  CHECK(cudaGetDriverEntryPoint(nullptr, &function, cudaEnableDefault, &status) ==
        cudaErrorInvalidValue);
  CHECK(cudaGetDriverEntryPoint("cuMemAlloc", nullptr, cudaEnableDefault, &status) ==
        cudaErrorInvalidValue);
}

TEST_CASE("the only device is chosen whatever is asked for", "[cudart][device]") {
  cudaDeviceProp wanted = {};
  wanted.major = 99;
  int device = -1;
  CHECK(cudaChooseDevice(&device, &wanted) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaChooseDevice(nullptr, &wanted) == cudaErrorInvalidValue);
  CHECK(cudaChooseDevice(&device, nullptr) == cudaErrorInvalidValue);
}
