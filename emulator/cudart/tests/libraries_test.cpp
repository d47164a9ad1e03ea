#include <cuda_runtime_api.h>

#include <catch2/catch_test_macros.hpp>

#include "emulator/cudart/tests/device_buffer.h"
#include "emulator/cudart/tests/kernels.h"

// Device code that a program loads at run time, and the attributes of streams.

namespace {

constexpr const char* kText = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 step = 5;
.visible .entry add_step(.param .u64 out, .param .u32 value) {
  .reg .b64 %rd<3>;
  .reg .b32 %r<4>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  ld.param.u32 %r1, [value];
  ld.global.u32 %r2, [step];
  add.u32 %r3, %r1, %r2;
  st.global.u32 [%rd2], %r3;
  ret;
}
)";

}  // namespace

TEST_CASE("a library of PTX text has kernels and variables by name", "[cudart][library]") {
  cudaLibrary_t library = nullptr;
  REQUIRE(cudaLibraryLoadData(&library, kText, nullptr, nullptr, 0, nullptr, nullptr, 0) ==
          cudaSuccess);
  cudaKernel_t kernel = nullptr;
  CHECK(cudaLibraryGetKernel(&kernel, library, "no_such_kernel") == cudaErrorSymbolNotFound);
  REQUIRE(cudaLibraryGetKernel(&kernel, library, "add_step") == cudaSuccess);
  void* step = nullptr;
  size_t bytes = 0;
  REQUIRE(cudaLibraryGetGlobal(&step, &bytes, library, "step") == cudaSuccess);
  CHECK(bytes == 4);
  DeviceBuffer<int> out(1);
  int* pointer = out.get();
  int value = 37;
  void* arguments[] = {&pointer, &value};
  CHECK(cudaLaunchKernel(kernel, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr) == cudaSuccess);
  CHECK(out.read()[0] == 42);
  const int other = 100;
  CHECK(cudaMemcpy(step, &other, 4, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaLaunchKernel(kernel, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr) == cudaSuccess);
  CHECK(out.read()[0] == 137);
  CHECK(cudaLibraryUnload(library) == cudaSuccess);
  CHECK(cudaLibraryUnload(library) == cudaErrorInvalidResourceHandle);
  CHECK(cudaLaunchKernel(kernel, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr) != cudaSuccess);
}

TEST_CASE("the driver has the function that makes tensor maps", "[cudart][library]") {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                         cudaEnableDefault, &status) == cudaSuccess);
  CHECK(function != nullptr);
  CHECK(status == cudaDriverEntryPointSuccess);
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                         cudaEnableDefault, nullptr) == cudaSuccess);
}

TEST_CASE("the driver has no other functions to give", "[cudart][library]") {
  void* function = &function;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSuccess;
  CHECK(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 12000, cudaEnableDefault,
                                         &status) == cudaSuccess);
  CHECK(function == nullptr);
  CHECK(status == cudaDriverEntryPointSymbolNotFound);
}

TEST_CASE("streams keep the attributes that they are given", "[cudart][stream]") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -1) == cudaSuccess);
  cudaLaunchAttributeValue value = {};
  CHECK(cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, &value) == cudaSuccess);
  CHECK(value.priority == -1);
  value = {};
  value.accessPolicyWindow.num_bytes = 4096;
  CHECK(cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &value) ==
        cudaSuccess);
  cudaLaunchAttributeValue got = {};
  CHECK(cudaStreamGetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &got) == cudaSuccess);
  CHECK(got.accessPolicyWindow.num_bytes == 4096);
  CHECK(cudaStreamSetAttribute(stream, cudaLaunchAttributeCooperative, &value) ==
        cudaErrorInvalidValue);
  int device = -1;
  CHECK(cudaStreamGetDevice(stream, &device) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}
