#include <cuda.h>
#include <cuda_runtime_api.h>

#include <catch2/catch_test_macros.hpp>

// A program that uses both APIs: they share the device, its memory and its streams.

namespace {

constexpr const char* kText = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .entry store_7(.param .u64 out) {
  .reg .b64 %rd<3>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, 7;
  st.global.u32 [%rd2], %r1;
  ret;
}
)";

}  // namespace

TEST_CASE("a driver's kernel works on the runtime's memory, in its stream", "[driver]") {
  void* memory = nullptr;
  cudaStream_t stream = nullptr;
  REQUIRE(cudaMalloc(&memory, 4) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  // The runtime has initialized the driver and made the primary context current.
  CUcontext current = nullptr;
  CUcontext primary = nullptr;
  REQUIRE(cuCtxGetCurrent(&current) == CUDA_SUCCESS);
  REQUIRE(cuDevicePrimaryCtxRetain(&primary, 0) == CUDA_SUCCESS);
  CHECK(current == primary);
  CUmodule module = nullptr;
  CUfunction store_7 = nullptr;
  REQUIRE(cuModuleLoadData(&module, kText) == CUDA_SUCCESS);
  REQUIRE(cuModuleGetFunction(&store_7, module, "store_7") == CUDA_SUCCESS);
  void* arguments[] = {&memory};
  REQUIRE(cuLaunchKernel(store_7, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr) == CUDA_SUCCESS);
  int value = 0;
  REQUIRE(cudaMemcpyAsync(&value, memory, 4, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  REQUIRE(cuStreamSynchronize(stream) == CUDA_SUCCESS);
  CHECK(value == 7);
  REQUIRE(cuMemFree(reinterpret_cast<CUdeviceptr>(memory)) == CUDA_SUCCESS);
  CHECK(cudaFree(memory) != cudaSuccess);
}

TEST_CASE("the runtime's current device and the driver's context agree", "[driver]") {
  CUcontext first = nullptr;
  CUcontext second = nullptr;
  REQUIRE(cuDevicePrimaryCtxRetain(&first, 0) == CUDA_SUCCESS);
  REQUIRE(cuDevicePrimaryCtxRetain(&second, 1) == CUDA_SUCCESS);
  CUcontext current = nullptr;
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  REQUIRE(cuCtxGetCurrent(&current) == CUDA_SUCCESS);
  CHECK(current == second);
  REQUIRE(cuCtxSetCurrent(first) == CUDA_SUCCESS);
  int device = -1;
  REQUIRE(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 0);
}

TEST_CASE("a failed call of the driver is not the runtime's last error", "[driver]") {
  REQUIRE(cudaFree(nullptr) == cudaSuccess);
  CUdeviceptr pointer = 0;
  CHECK(cuMemAlloc(&pointer, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemFree(0x1234) != CUDA_SUCCESS);
  CHECK(cudaGetLastError() == cudaSuccess);
}
