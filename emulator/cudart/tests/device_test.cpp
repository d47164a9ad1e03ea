#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <string>

#include "emulator/cudart/tests/kernels.h"

TEST_CASE("there is one device, and it is the card", "[cudart][device]") {
  int count = 0;
  int device = -1;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  CHECK(cudaSetDevice(-1) == cudaErrorInvalidDevice);
}

TEST_CASE("properties and attributes agree", "[cudart][device]") {
  cudaDeviceProp p = {};
  REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
  const auto attribute = [](cudaDeviceAttr which) {
    int value = -1;
    CHECK(cudaDeviceGetAttribute(&value, which, 0) == cudaSuccess);
    return value;
  };
  CHECK(std::string(p.name) == "NVIDIA A100-SXM4-40GB");
  CHECK(p.major == attribute(cudaDevAttrComputeCapabilityMajor));
  CHECK(p.minor == attribute(cudaDevAttrComputeCapabilityMinor));
  CHECK(p.multiProcessorCount == attribute(cudaDevAttrMultiProcessorCount));
  CHECK(p.warpSize == 32);
  CHECK(p.maxThreadsPerBlock == 1024);
  CHECK(p.maxThreadsDim[2] == 64);
  CHECK(p.maxGridSize[0] == 2147483647);
  CHECK(p.maxGridSize[1] == 65535);
  CHECK(p.totalConstMem == 65536);
  CHECK(p.sharedMemPerBlock == 49152);
  CHECK(static_cast<int>(p.sharedMemPerBlockOptin) ==
        attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  CHECK(p.regsPerBlock == 65536);
  CHECK(p.cooperativeLaunch == 1);
  CHECK(p.reserved[55] == 0);
  CHECK(cudaGetDeviceProperties(&p, 5) == cudaErrorInvalidDevice);
}

TEST_CASE("attributes of no device and of no number are refused", "[cudart][device]") {
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 3) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(200), 0) ==
        cudaErrorInvalidValue);
}

TEST_CASE("versions are those of the library that is emulated", "[cudart][device]") {
  int runtime = 0;
  int driver = 0;
  CHECK(cudaRuntimeGetVersion(&runtime) == cudaSuccess);
  CHECK(cudaDriverGetVersion(&driver) == cudaSuccess);
  CHECK(runtime == 13000);
  CHECK(driver >= runtime);
}

TEST_CASE("limits can be read and set", "[cudart][device]") {
  size_t value = 0;
  CHECK(cudaDeviceGetLimit(&value, cudaLimitStackSize) == cudaSuccess);
  CHECK(value == 1024);
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&value, cudaLimitStackSize) == cudaSuccess);
  CHECK(value == 4096);
  CHECK(cudaDeviceSetLimit(static_cast<cudaLimit>(7), 1) == cudaErrorUnsupportedLimit);
}

TEST_CASE("one device has no peers", "[cudart][device]") {
  int can = 1;
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 0) == cudaSuccess);
  CHECK(can == 0);
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported);
  CHECK(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
}

TEST_CASE("the bus id leads back to the device", "[cudart][device]") {
  char id[32] = {};
  CHECK(cudaDeviceGetPCIBusId(id, sizeof id, 0) == cudaSuccess);
  int device = -1;
  CHECK(cudaDeviceGetByPCIBusId(&device, id) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaDeviceGetPCIBusId(id, 4, 0) == cudaErrorInvalidValue);
}

TEST_CASE("kernels tell their resources", "[cudart][function]") {
  cudaFuncAttributes attributes = {};
  REQUIRE(cudaFuncGetAttributes(&attributes, static_shared_kernel()) == cudaSuccess);
  CHECK(attributes.sharedSizeBytes == 1024);
  CHECK(attributes.maxThreadsPerBlock == 1024);
  CHECK(attributes.maxDynamicSharedSizeBytes == 48128);
  CHECK(attributes.ptxVersion == 75);
  CHECK(attributes.binaryVersion == 80);
  REQUIRE(cudaFuncGetAttributes(&attributes, bounded_kernel()) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 128);
  int not_a_kernel = 0;
  CHECK(cudaFuncGetAttributes(&attributes, &not_a_kernel) == cudaErrorInvalidResourceHandle);
  CHECK(cudaFuncGetAttributes(&attributes, nullptr) == cudaErrorInvalidDeviceFunction);
}

TEST_CASE("occupancy follows the card", "[cudart][function]") {
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill_kernel(), 256, 0) ==
        cudaSuccess);
  CHECK(blocks == 8);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill_kernel(), 256, 48 * 1024) ==
        cudaSuccess);
  CHECK(blocks == 3);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill_kernel(), 2048, 0) ==
        cudaSuccess);
  CHECK(blocks == 0);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill_kernel(), 0, 0) ==
        cudaErrorInvalidValue);
  size_t bytes = 0;
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, static_shared_kernel(), 1, 256) ==
        cudaSuccess);
  CHECK(bytes == 163 * 1024 - 1024);
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, fill_kernel(), 2, 256) == cudaSuccess);
  CHECK(bytes == 82 * 1024);
}

TEST_CASE("kernels have names and parameters", "[cudart][function]") {
  const char* name = nullptr;
  CHECK(cudaFuncGetName(&name, fill_kernel()) == cudaSuccess);
  REQUIRE(name != nullptr);
  CHECK(std::strstr(name, "fill") != nullptr);
  size_t offset = 0;
  size_t size = 0;
  CHECK(cudaFuncGetParamInfo(fill_kernel(), 1, &offset, &size) == cudaSuccess);
  CHECK(offset == 8);
  CHECK(size == 4);
  CHECK(cudaFuncGetParamInfo(fill_kernel(), 2, &offset, &size) == cudaErrorInvalidValue);
}
