#include <cuda_runtime_api.h>

#include <catch2/catch_test_macros.hpp>

// Handles for other processes. That one process cannot open its own was measured on an H200.

TEST_CASE("the runtime makes a handle of memory, and cannot open it in its own process",
          "[cudart]") {
  void* memory = nullptr;
  void* opened = nullptr;
  void* pinned = nullptr;
  cudaIpcMemHandle_t handle = {};
  REQUIRE(cudaMalloc(&memory, 64) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 64) == cudaSuccess);
  CHECK(cudaIpcGetMemHandle(&handle, memory) == cudaSuccess);
  CHECK(cudaIpcGetMemHandle(&handle, static_cast<char*>(memory) + 4) == cudaSuccess);
  CHECK(cudaIpcOpenMemHandle(&opened, handle, cudaIpcMemLazyEnablePeerAccess) ==
        cudaErrorDeviceUninitialized);
  CHECK(opened == nullptr);
  CHECK(cudaIpcOpenMemHandle(&opened, handle, 0) == cudaErrorInvalidValue);
  CHECK(cudaIpcGetMemHandle(&handle, pinned) == cudaErrorInvalidValue);
  CHECK(cudaIpcCloseMemHandle(memory) == cudaErrorInvalidValue);
  const cudaIpcMemHandle_t none = {};
  CHECK(cudaIpcOpenMemHandle(&opened, none, cudaIpcMemLazyEnablePeerAccess) ==
        cudaErrorInvalidValue);
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaIpcGetMemHandle(&handle, memory) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

TEST_CASE("the runtime makes a handle of an event for several processes only", "[cudart]") {
  cudaEvent_t shared = nullptr;
  cudaEvent_t own = nullptr;
  cudaEvent_t opened = nullptr;
  cudaIpcEventHandle_t handle = {};
  CHECK(cudaEventCreateWithFlags(&shared, cudaEventInterprocess) == cudaErrorInvalidValue);
  REQUIRE(cudaEventCreateWithFlags(&shared, cudaEventInterprocess | cudaEventDisableTiming) ==
          cudaSuccess);
  REQUIRE(cudaEventCreate(&own) == cudaSuccess);
  CHECK(cudaIpcGetEventHandle(&handle, own) == cudaErrorInvalidResourceHandle);
  CHECK(cudaIpcGetEventHandle(&handle, shared) == cudaSuccess);
  CHECK(cudaIpcOpenEventHandle(&opened, handle) == cudaErrorDeviceUninitialized);
  CHECK(opened == nullptr);
  CHECK(cudaEventDestroy(shared) == cudaSuccess);
  CHECK(cudaEventDestroy(own) == cudaSuccess);
  (void)cudaGetLastError();
}
