#include <cuda.h>

#include <catch2/catch_test_macros.hpp>

// Handles for other processes. Results are those of an H200, driver 580.159.04.

namespace {

struct IpcSession {
  IpcSession() {
    REQUIRE(cuInit(0) == CUDA_SUCCESS);
    CUcontext context = nullptr;
    REQUIRE(cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS);
    REQUIRE(cuCtxSetCurrent(context) == CUDA_SUCCESS);
    REQUIRE(cuMemAlloc(&memory, 64) == CUDA_SUCCESS);
  }
  ~IpcSession() {
    cuMemFree(memory);
    cuCtxSetCurrent(nullptr);
    cuDevicePrimaryCtxRelease(0);
  }
  IpcSession(const IpcSession&) = delete;
  IpcSession& operator=(const IpcSession&) = delete;

  CUdeviceptr memory = 0;
};

}  // namespace

TEST_CASE("a handle of memory is made, and cannot be opened in its own process", "[driver]") {
  const IpcSession session;
  CUipcMemHandle handle = {};
  CUdeviceptr opened = 0;
  REQUIRE(cuIpcGetMemHandle(&handle, session.memory) == CUDA_SUCCESS);
  CHECK(cuIpcOpenMemHandle(&opened, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) ==
        CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuIpcGetMemHandle(&handle, session.memory + 4) == CUDA_SUCCESS);
  CHECK(cuIpcGetMemHandle(&handle, session.memory + 64) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuIpcCloseMemHandle(session.memory) == CUDA_ERROR_INVALID_VALUE);
  handle = {};
  CHECK(cuIpcOpenMemHandle(&opened, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) ==
        CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a handle is made of an event for other processes only", "[driver]") {
  const IpcSession session;
  CUevent shared = nullptr;
  CUevent own = nullptr;
  CUevent opened = nullptr;
  CUipcEventHandle handle = {};
  REQUIRE(cuEventCreate(&shared, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS) == CUDA_SUCCESS);
  REQUIRE(cuEventCreate(&own, CU_EVENT_DISABLE_TIMING) == CUDA_SUCCESS);
  CHECK(cuEventCreate(&opened, CU_EVENT_INTERPROCESS) == CUDA_ERROR_INVALID_VALUE);
  REQUIRE(cuIpcGetEventHandle(&handle, shared) == CUDA_SUCCESS);
  CHECK(cuIpcOpenEventHandle(&opened, handle) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuIpcGetEventHandle(&handle, own) == CUDA_ERROR_INVALID_HANDLE);
  REQUIRE(cuEventDestroy(shared) == CUDA_SUCCESS);
  CHECK(cuIpcGetEventHandle(&handle, shared) == CUDA_ERROR_INVALID_HANDLE);
  REQUIRE(cuEventDestroy(own) == CUDA_SUCCESS);
}
